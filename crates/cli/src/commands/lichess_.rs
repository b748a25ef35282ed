// SPDX-License-Identifier: GPL-3.0-or-later
//! `lichess`: the bot.

mod log;
mod run;
pub(super) mod signals;

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::exit;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use lichess::config::{ClockSetting, Pool};
use lichess::words::{Mode, Opponent, Variant, Word};
use lichess::{Client, Config, ConfigError, Timing};
use serde_json::json;

use super::print_json;
use crate::output;

pub(super) use log::{Log, start_log};

/// Play on Lichess as a bot
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LichessCommand {
    #[command(subcommand)]
    command: Action,
}

const AFTER_HELP: &str = "\
From nothing to the first game:
  quincunx lichess init                 # writes lichess.toml, with every key explained
  export LICHESS_TOKEN=lip_…            # of a bot account; docs/guide/lichess.md tells how
  quincunx lichess check --online       # is everything as it should be?
  quincunx lichess run";

#[derive(Subcommand, Debug)]
enum Action {
    Init(Init),
    Check(Check),
    Run(run::Run),
    Challenge(Challenge),
    Upgrade(Upgrade),
}

impl LichessCommand {
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Action::Init(init) => init.run(),
            Action::Check(check) => check.run(),
            Action::Run(run) => run.run(),
            Action::Challenge(challenge) => challenge.run(),
            Action::Upgrade(upgrade) => upgrade.run(),
        }
    }
}

/// Where the configuration is, and where Lichess is.
#[derive(Args, Clone, Debug)]
pub(crate) struct Source {
    /// The configuration
    #[arg(long, value_name = "FILE", default_value = "lichess.toml")]
    config: PathBuf,
    /// The server, instead of the configuration's
    #[arg(long, value_name = "URL", value_parser = web_address)]
    url: Option<String>,
}

fn web_address(text: &str) -> Result<String, String> {
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    let expected = "expected an address such as https://lichess.org";
    if is_web { Ok(text.trim_end_matches('/').to_owned()) } else { Err(expected.to_owned()) }
}

impl Source {
    /// The configuration, or all its mistakes.
    pub(crate) fn read(&self) -> Result<Config> {
        let mut config = Config::read(&self.config)?;
        if let Some(url) = &self.url {
            config.account.url.clone_from(url);
        }
        Ok(config)
    }

    fn client(&self) -> Result<(Config, Client)> {
        let config = self.read()?;
        let client = lichess::connect(&config, timing(&config))?;
        Ok((config, client))
    }
}

/// How long things may take, by the configuration.
pub(super) fn timing(config: &Config) -> Timing {
    Timing { keep_alive: config.connection.keep_alive, ..Timing::default() }
}

/// Runs something that waits for the network.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    let runtime = runtime.context("starting threads for the network")?;
    let result = runtime.block_on(work);
    // Engines that still think are not waited for.
    runtime.shutdown_background();
    Ok(result)
}

/// Write an example of the configuration, with every key explained
#[derive(Args, Debug)]
struct Init {
    /// Where to write it
    #[arg(long, value_name = "FILE", default_value = "lichess.toml")]
    config: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

impl Init {
    fn run(&self) -> Result<()> {
        let (path, name) = (&self.config, self.config.display());
        if path != Path::new("-") && path.exists() && !self.force {
            bail!("`{name}` is there already; --force replaces it");
        }
        output::write(path, lichess::EXAMPLE.as_bytes())?;
        if path != Path::new("-") {
            eprintln!("`{name}` written. Put the token of your bot account into the environment");
            eprintln!(
                "variable LICHESS_TOKEN, then: quincunx lichess check --config {name} --online"
            );
        }
        Ok(())
    }
}

/// Check the configuration: every mistake, with its line
#[derive(Args, Debug)]
struct Check {
    #[command(flatten)]
    source: Source,
    /// Also ask Lichess whether the token is good
    #[arg(long)]
    online: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    fn run(&self) -> Result<()> {
        let name = self.source.config.display();
        match Config::read(&self.source.config) {
            Ok(_) => (),
            Err(ConfigError::Wrong(_, mistakes)) if self.json => {
                let mistake = |it: &lichess::Mistake| json!({"line": it.line, "key": it.key, "message": it.message, "hint": it.hint});
                let mistakes: Vec<_> = mistakes.0.iter().map(mistake).collect();
                print_json(&json!({"ok": false, "mistakes": mistakes}))?;
                exit(1);
            }
            Err(error) => return Err(error.into()),
        }
        let account = if self.online { Some(self.ask()?) } else { None };
        if self.json {
            return print_json(&json!({"ok": true, "mistakes": [], "account": account}));
        }
        println!("`{name}` is sound");
        match account {
            Some(account) => println!("the token is good: `{account}` may play as a bot"),
            None => match self.source.read()?.account.token.token() {
                Ok(_) => println!("there is a token; --online asks Lichess whether it is good"),
                Err(error) => eprintln!("note: {error}"),
            },
        }
        Ok(())
    }

    /// Asks Lichess about the token; the account's name if all is well.
    fn ask(&self) -> Result<String> {
        let (_, client) = self.source.client()?;
        block_on(async {
            let scopes = client.scopes().await.context("testing the token")?;
            for needed in ["bot:play", "challenge:read", "challenge:write"] {
                if !scopes.iter().any(|scope| scope == needed) {
                    bail!("the token lacks the scope `{needed}`: make a new token");
                }
            }
            let profile = client.account().await.context("asking for the account")?;
            if !profile.is_bot() {
                bail!("`{}` is not a bot's account: see `lichess upgrade`", profile.username);
            }
            Ok(profile.username)
        })?
    }
}

/// Challenge somebody; the bot must be running elsewhere to play the game
#[derive(Args, Debug)]
struct Challenge {
    /// Who is challenged
    user: String,
    /// Minutes and seconds for each move
    #[arg(long, default_value = "3+2", value_name = "M+S", value_parser = clock)]
    clock: ClockSetting,
    /// A rated game
    #[arg(long)]
    rated: bool,
    /// The variant
    #[arg(long, default_value = "standard", value_parser = ["standard", "chess960"])]
    variant: String,
    #[command(flatten)]
    source: Source,
    /// Print the challenge as JSON
    #[arg(long)]
    json: bool,
}

fn clock(text: &str) -> Result<ClockSetting, String> {
    text.parse().map_err(|()| "expected a clock that Lichess allows, such as 3+2".to_owned())
}

impl Challenge {
    fn run(&self) -> Result<()> {
        let (_, client) = self.source.client()?;
        let pool = Pool {
            clock: self.clock,
            variant: Variant::of(&self.variant).unwrap_or(Variant::Standard),
            mode: if self.rated { Mode::Rated } else { Mode::Casual },
            weight: 1,
        };
        // A bot costs less of what Lichess allows; which it is, we do not know.
        let made = block_on(client.challenge(&self.user, Opponent::Human, &pool))?;
        let challenge = made.with_context(|| format!("challenging `{}`", self.user))?;
        if self.json {
            return print_json(&json!({"id": challenge.id, "user": self.user}));
        }
        println!("challenge {} sent to {}", challenge.id, self.user);
        Ok(())
    }
}

/// Make the account a bot's; this cannot be undone
#[derive(Args, Debug)]
struct Upgrade {
    #[command(flatten)]
    source: Source,
    /// The account's name, to say that it is meant
    #[arg(long, value_name = "NAME")]
    confirm: Option<String>,
}

impl Upgrade {
    fn run(&self) -> Result<()> {
        let (_, client) = self.source.client()?;
        let profile = block_on(client.account())?.context("asking for the account")?;
        let name = &profile.username;
        if profile.is_bot() {
            println!("`{name}` is a bot's account already");
            return Ok(());
        }
        eprintln!(
            "warning: `{name}` becomes a bot's account FOR GOOD. It can never again play as a"
        );
        eprintln!(
            "person, join ordinary tournaments or be changed back. Lichess allows it only for"
        );
        eprintln!("accounts that have played no game.");
        if !self.is_meant(name)? {
            bail!("nothing was changed: the name given is not `{name}`");
        }
        block_on(client.upgrade())?.context("upgrading the account")?;
        println!("`{name}` is a bot's account now");
        Ok(())
    }

    fn is_meant(&self, name: &str) -> Result<bool> {
        if let Some(confirm) = &self.confirm {
            return Ok(confirm == name);
        }
        if !io::stdin().is_terminal() {
            bail!("--confirm {name} is needed to go on without a terminal");
        }
        eprint!("Type the name of the account to go on: ");
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).context("reading from the terminal")?;
        Ok(line.trim() == name)
    }
}
