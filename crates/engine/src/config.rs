// SPDX-License-Identifier: GPL-3.0-or-later
//! What a searcher is set to, so that another like it can be made, and how to change both.

use std::sync::Arc;

use net::Kernels;
use search::{Mode, Network, Params, Ranking, Searcher, Tablebases, TreeOptions};
use tablebase::Tables;

use crate::event::Notice;
use crate::fault::SettingFault;
use crate::networks::{self, NetworkError};

/// MiB of memory unless it is set.
pub(crate) const DEFAULT_HASH: usize = 16;

/// Everything that a searcher is set to.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) threads: usize,
    pub(crate) mebibytes: usize,
    pub(crate) kernels: Kernels,
    pub(crate) network: Network,
    pub(crate) ranking: Ranking,
    pub(crate) mode: Mode,
    pub(crate) tree: TreeOptions,
    pub(crate) tablebases: Tablebases,
    pub(crate) params: Params,
    /// Whether material evaluates where a network's file cannot be loaded.
    pub(crate) falls_back: bool,
}

impl Default for Config {
    fn default() -> Self {
        let kernels = Kernels::detect();
        Self {
            threads: 1,
            mebibytes: DEFAULT_HASH,
            kernels,
            network: networks::default_network(kernels),
            ranking: networks::ranking(kernels),
            mode: Mode::default(),
            tree: TreeOptions::default(),
            tablebases: Tablebases::default(),
            params: Params::default(),
            falls_back: false,
        }
    }
}

impl Config {
    /// A searcher that is set like this.
    pub(crate) fn searcher(&self) -> Searcher {
        let mut searcher = Searcher::new(self.threads, self.mebibytes);
        if cfg!(feature = "tune") {
            searcher.set_params(self.params.clone());
        }
        searcher.set_network(self.network.clone());
        searcher.set_ranking(self.ranking.clone());
        searcher.set_tree_options(self.tree.clone());
        searcher.set_tablebases(self.tablebases.clone());
        // There was memory for it before.
        searcher.set_mode(self.mode);
        searcher
    }
}

/// A searcher that is not searching, and what it is set to: what settings change.
pub(crate) struct Target<'a> {
    pub(crate) config: &'a mut Config,
    pub(crate) searcher: &'a mut Searcher,
    /// What went right and is worth telling.
    pub(crate) notices: Vec<Notice>,
}

impl Target<'_> {
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.config.threads = threads;
        self.searcher.set_threads(threads);
    }

    /// Uses so many MiB for the table and the tree, if there are so many.
    pub(crate) fn resize(&mut self, mebibytes: usize) -> Result<(), SettingFault> {
        if !self.searcher.set_table_size(mebibytes) {
            let kept = self.searcher.table_stats().mebibytes;
            return Err(SettingFault::Hash { wanted: mebibytes, kept });
        }
        self.config.mebibytes = mebibytes;
        Ok(())
    }

    /// Lets another search think, unless there is no memory for its tree.
    pub(crate) fn use_mode(&mut self, mode: Mode) -> Result<(), SettingFault> {
        if !self.searcher.set_mode(mode) {
            return Err(SettingFault::Tree(mode));
        }
        self.config.mode = mode;
        Ok(())
    }

    /// Evaluates by the network of this name.
    pub(crate) fn use_named_network(&mut self, name: &str) -> Result<(), SettingFault> {
        let loaded = networks::load(name, self.config.kernels);
        self.use_network(loaded)
    }

    /// Evaluates by the network in a file; by the default one if the path is empty. If the user wants that,
    /// by material if there is no sound network.
    pub(crate) fn use_network_file(&mut self, path: &str) -> Result<(), SettingFault> {
        let kernels = self.config.kernels;
        if path.is_empty() {
            return self.use_network(Ok(networks::default_network(kernels)));
        }
        let loaded = match networks::load_file(path, kernels) {
            Err(error) if self.config.falls_back => {
                self.notices.push(Notice::FellBack(error.to_string()));
                Ok(Network::Material)
            }
            loaded => loaded,
        };
        let taken_for = loaded.as_ref().ok().and_then(|_| networks::taken_for(path));
        self.notices.extend(taken_for.map(|what| Notice::TakenFor { path: path.to_owned(), what }));
        self.use_network(loaded)
    }

    /// Evaluates by another network, unless it could not be loaded.
    pub(crate) fn use_network(
        &mut self,
        loaded: Result<Network, NetworkError>,
    ) -> Result<(), SettingFault> {
        let kept = self.config.network.architecture();
        let network = loaded.map_err(|error| SettingFault::Network { error, kept })?;
        self.config.network = network.clone();
        self.searcher.set_network(network);
        Ok(())
    }

    /// Ranks moves by the policy in a file; by the default one if the path is empty.
    pub(crate) fn use_policy(&mut self, path: &str) -> Result<(), SettingFault> {
        let kernels = self.config.kernels;
        let kept = self.config.ranking.name();
        let loaded = match path {
            "" => Ok(networks::ranking(kernels)),
            path => networks::load_policy(path, kernels),
        };
        self.rank_by(loaded.map_err(|error| SettingFault::Network { error, kept })?);
        Ok(())
    }

    fn rank_by(&mut self, ranking: Ranking) {
        self.config.ranking = ranking.clone();
        self.searcher.set_ranking(ranking);
    }

    /// Runs networks on other kernels, if this processor has them.
    pub(crate) fn use_kernels(&mut self, name: &str) -> Result<(), SettingFault> {
        let kernels = Kernels::by_name(name)?;
        self.config.kernels = kernels;
        if let Network::Net(net, _) = self.config.network.clone() {
            self.use_network(Ok(Network::Net(net, kernels)))?;
        }
        if let Ranking::Net(policy, _) = self.config.ranking.clone() {
            self.rank_by(Ranking::Net(policy, kernels));
        }
        Ok(())
    }

    /// Opens endgame tables, or closes them if there is no path; if that fails, those before stay.
    pub(crate) fn open_tables(&mut self, paths: &str) -> Result<(), SettingFault> {
        let tables = match paths {
            "" => None,
            paths => Some(Arc::new(Tables::open(paths)?)),
        };
        let found = tables.as_ref();
        let notice =
            found.map(|tables| Notice::Tables { files: tables.files(), men: tables.largest() });
        self.notices.extend(notice);
        self.change_tablebases(|tablebases| tablebases.tables = tables);
        Ok(())
    }

    pub(crate) fn change_tablebases(&mut self, change: impl FnOnce(&mut Tablebases)) {
        change(&mut self.config.tablebases);
        self.searcher.set_tablebases(self.config.tablebases.clone());
    }

    pub(crate) fn change_tree(&mut self, change: impl FnOnce(&mut TreeOptions)) {
        change(&mut self.config.tree);
        self.searcher.set_tree_options(self.config.tree.clone());
    }

    /// Sets a number of the search.
    pub(crate) fn set_param(&mut self, name: &str, value: i64) {
        let is_known = self.config.params.set(name, value as i32);
        debug_assert!(is_known, "`{name}` is declared as an option from the list of numbers");
        self.searcher.set_params(self.config.params.clone());
    }

    pub(crate) fn clear(&mut self) {
        self.searcher.clear();
    }
}
