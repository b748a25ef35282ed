// SPDX-License-Identifier: GPL-3.0-or-later
//! `lichess run`: the bot, with a picture, with JSON, or with a log only.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use lichess::{Archive, BotError, StatusView, Update};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;

use super::{Log, Source, block_on, signals, start_log, timing};
use crate::commands::print_json;
use crate::screen::Screen;

/// Run the bot until Ctrl-C or SIGTERM; a second one leaves games as they are
#[derive(Args, Debug)]
pub(super) struct Run {
    #[command(flatten)]
    source: Source,
    /// Print what happens as JSON, one object per line
    #[arg(long)]
    json: bool,
    /// No picture, only the log
    #[arg(long)]
    plain: bool,
}

/// How often the picture is drawn anew.
const REFRESH: Duration = Duration::from_millis(250);

impl Run {
    pub(super) fn run(&self) -> Result<()> {
        let config = self.source.read()?;
        let may_draw = !self.json && !self.plain && std::io::stderr().is_terminal();
        let screen = if may_draw { Screen::open() } else { None };
        let log = Log::default();
        start_log(screen.is_some().then_some(&log));
        let results = Archive::open(&config.files).map(|archive| archive.results());
        let view = StatusView::new(results.unwrap_or_default());
        let timing = timing(&config);
        let is_json = self.json;
        block_on(async move {
            let (sender, updates) = unbounded_channel();
            let bot = tokio::spawn(lichess::run(config, timing, sender, signals::stops()));
            match screen {
                Some(screen) => watch(bot, updates, Picture { screen, view, log }).await,
                None => watch(bot, updates, Lines { is_json }).await,
            }
        })??;
        Ok(())
    }
}

/// How the bot is shown.
trait Show {
    fn update(&mut self, update: Update);
    /// Called now and then.
    fn tick(&mut self) {}
    fn close(&mut self) {}
}

/// Shows what happens until the bot ends, and what has happened by then.
async fn watch(
    mut bot: JoinHandle<Result<(), BotError>>,
    mut updates: UnboundedReceiver<Update>,
    mut show: impl Show,
) -> Result<(), BotError> {
    let mut clock = tokio::time::interval(REFRESH);
    let result = loop {
        tokio::select! {
            Some(update) = updates.recv() => show.update(update),
            _ = clock.tick() => show.tick(),
            result = &mut bot => break result,
        }
    };
    while let Ok(update) = updates.try_recv() {
        show.update(update);
    }
    show.close();
    result.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// JSON, or nothing: the log tells the rest.
struct Lines {
    is_json: bool,
}

impl Show for Lines {
    fn update(&mut self, update: Update) {
        // Whoever read our output may have gone; the games go on.
        if self.is_json {
            let _ = print_json(&update);
        }
    }
}

/// The live picture.
struct Picture {
    screen: Screen,
    view: StatusView,
    log: Log,
}

impl Show for Picture {
    fn update(&mut self, update: Update) {
        self.view.apply(update);
    }

    fn tick(&mut self) {
        for line in self.log.take() {
            self.view.note(&line);
        }
        self.screen.draw(&self.view.draw(self.screen.width()));
    }

    fn close(&mut self) {
        self.screen.clear();
        for line in self.log.take() {
            eprintln!("{line}");
        }
    }
}
