// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx board`: play, analyze and look inside, in the browser.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use board::{Config, Server};
use clap::Args;
use tablebase::Tables;

use super::{Threads, tb};

/// Open the board in the browser: play, analyze, review games, look inside networks and trees.
#[derive(Args, Debug)]
pub(crate) struct BoardCommand {
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 8484, value_name = "N")]
    port: u16,
    /// The address to listen on. Beyond this machine everybody who reaches it may use it
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,
    /// Open the page in the browser
    #[arg(long, overrides_with = "no_open")]
    open: bool,
    /// Only print the address of the page
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    threads: Threads,
    /// Memory of all searches together, in MiB
    #[arg(long, default_value_t = 512, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(8..=1 << 25))]
    hash: u32,
    /// Where games are kept [default: quincunx/board among the user's data]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Show the page in this folder instead of the one in the binary
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// The runs to watch
    #[arg(long, default_value = "runs", value_name = "DIR")]
    runs: PathBuf,
    /// The folder of the Lichess bot, whose games are watched too
    #[arg(long, value_name = "DIR")]
    bot: Option<PathBuf>,
    /// Folders of Syzygy tables, separated by `:` (`;` on Windows) [default: the variable `SYZYGY_PATH`]
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
}

const NO_PAGE: &str = "this binary does not hold the page of the board: \
    run `make board` in the sources, which needs Node.js 20 and npm";

impl BoardCommand {
    pub(crate) fn run(&self) -> Result<()> {
        anyhow::ensure!(self.page.is_some() || board::page::is_built(), NO_PAGE);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("starting the server")?;
        runtime.block_on(self.serve())
    }

    async fn serve(&self) -> Result<()> {
        let address = SocketAddr::new(self.address, self.port);
        let server = Server::bind(self.config(address)?).await;
        let server = server.with_context(|| {
            format!(
                "cannot listen at {address}: is a board running there? `--port 0` takes a free port"
            )
        })?;
        let url = format!("http://{}/", server.address());
        if !self.address.is_loopback() {
            eprintln!("warning: everybody who reaches {address} may use this board");
        }
        println!("The board is at {url} (Ctrl-C ends it)");
        if !self.no_open {
            open(&url);
        }
        tokio::select! {
            () = server.run() => (),
            _ = tokio::signal::ctrl_c() => (),
        }
        Ok(())
    }

    fn config(&self, address: SocketAddr) -> Result<Config> {
        let render = |folder: &std::path::Path| {
            super::report::render(folder).map_err(|error| format!("{error:#}"))
        };
        if let Some(bot) = &self.bot {
            anyhow::ensure!(bot.is_dir(), "--bot: `{}` is not a folder", bot.display());
        }
        Ok(Config {
            address,
            threads: self.threads.count(),
            hash: self.hash as usize,
            games: self.games.clone().unwrap_or_else(board::store::Store::default_folder),
            page: self.page.clone(),
            runs: self.runs.clone(),
            bot: self.bot.clone(),
            tables: self.tables()?,
            render: Arc::new(render),
        })
    }

    /// The endgame tables that were named; none if none were.
    fn tables(&self) -> Result<Option<Arc<Tables>>> {
        let named = self.syzygy.clone().or_else(|| std::env::var(tb::VARIABLE).ok());
        let Some(path) = named.filter(|path| !path.is_empty()) else { return Ok(None) };
        let tables = Tables::open(&path).context("opening the tables")?;
        Ok(Some(Arc::new(tables)))
    }
}

/// Asks the desktop to show the page. Without a desktop the address was printed anyway.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
