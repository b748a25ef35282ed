// SPDX-License-Identifier: GPL-3.0-or-later
//! `external-engine`: analysis on the Lichess site, thought here.

use anyhow::Result;
use clap::Args;

use super::lichess_::{Source, block_on, signals, start_log, timing};

/// Let people analyze with this engine on the Lichess site
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExternalEngine {
    #[command(flatten)]
    source: Source,
}

const AFTER_HELP: &str = "\
The token needs the scopes engine:read and engine:write; it need not be a bot's. While this runs, the
engine can be chosen on the analysis board of the account. Its settings are in [external_engine].";

impl ExternalEngine {
    pub(crate) fn run(self) -> Result<()> {
        let config = self.source.read()?;
        start_log(None);
        let timing = timing(&config);
        block_on(async move { lichess::provide(config, timing, signals::stops()).await })??;
        Ok(())
    }
}
