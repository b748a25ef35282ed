// SPDX-License-Identifier: GPL-3.0-or-later
//! The bot: challenges in, games out, until it is told to stop.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tools::store::Lock;

use crate::client::{ApiError, Client, Timing, random};
use crate::config::{Config, OnStop, Pool};
use crate::follow::{self, Item, Stream};
use crate::game::{self, Context, Done, Handle, Openings, Start};
use crate::lag::Lag;
use crate::live::Live;
use crate::matchmaking::Matchmaker;
use crate::model::{Challenge, Event, GameInfo, OnlineBot};
use crate::policy::{ChallengeVerdict, Situation, judge};
use crate::queue::{Queue, Taken, kind};
use crate::record::{Archive, UnderWay};
use crate::update::{Update, verdict_name};
use crate::words::{Opponent, Reason, Speed, Word};
use crate::{Token, TokenError};

/// Why the bot does not run.
#[derive(Debug, Error)]
pub enum BotError {
    /// There is no token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The server does not answer, or not well.
    #[error("{0}: {1}")]
    Api(&'static str, ApiError),
    /// The account is a person's.
    #[error(
        "the account `{0}` is not a bot's; `quincunx lichess upgrade` makes it one, if it has \
         played no game"
    )]
    NotABot(String),
    /// Files cannot be written.
    #[error("the folder `{0}` cannot be used: {1}")]
    Files(String, std::io::Error),
}

/// How to stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// In order: see `play.on_stop`.
    Gently,
    /// Now. Games are left as they are.
    Now,
}

/// Runs the bot until it is told to stop, or has played enough.
pub async fn run(
    config: Config,
    timing: Timing,
    updates: UnboundedSender<Update>,
    stops: UnboundedReceiver<Stop>,
) -> Result<(), BotError> {
    let client = connect(&config, timing)?;
    let me = client.account().await.map_err(|error| BotError::Api("logging in", error))?;
    if !me.is_bot() {
        return Err(BotError::NotABot(me.username));
    }
    let folder = config.files.folder.display().to_string();
    let unusable = |error| BotError::Files(folder.clone(), error);
    let archive = Archive::open(&config.files).map_err(unusable)?;
    // Two bots of one account would play against each other's memory; and it tells who watches that we run.
    let _lock =
        Lock::folder(&config.files.folder).map_err(|error| unusable(io::Error::other(error)))?;
    let context = Context {
        lag: Lag::new(config.play.overhead),
        live: Live::new(&config.files.folder),
        openings: Openings::open(&config.book),
        client: Arc::new(client),
        config: Arc::new(config),
        archive,
        updates,
        me,
        waiting: AtomicUsize::new(0),
    };
    tracing::info!("connected as {}", context.me.username);
    context.tell(Update::Connected { name: context.me.username.clone() });
    Bot::new(context).run(stops).await
}

/// A client with the token and the address of a configuration.
pub fn connect(config: &Config, timing: Timing) -> Result<Client, BotError> {
    let token: Token = config.account.token.token()?;
    let client = Client::new(&config.account.url, token, timing);
    client.map_err(|error| BotError::Api("preparing the connection", error))
}

/// A game under way, as far as the bot must know.
#[derive(Debug)]
struct Game {
    handle: Handle,
    kind: Opponent,
    speed: Speed,
}

/// A challenge that was accepted, and whose game has not begun.
#[derive(Debug)]
struct Accepted {
    kind: Opponent,
    speed: Speed,
    since: Instant,
}

/// Something that was begun has ended.
#[derive(Debug)]
enum News {
    /// A challenge could not be accepted.
    NotAccepted(String),
    /// Bots that are online.
    Bots(Result<Vec<OnlineBot>, ApiError>),
    /// We have challenged somebody, or tried to.
    Challenged(String, Pool, Result<Box<Challenge>, ApiError>),
}

struct Bot {
    context: Arc<Context>,
    events: Stream<Event>,
    games: HashMap<String, Game>,
    accepted: HashMap<String, Accepted>,
    queue: Queue,
    matchmaker: Matchmaker,
    /// Bots that were online, and when.
    bots: Option<(Instant, Vec<OnlineBot>)>,
    /// Games that are over, lest an old message begins them again.
    over: VecDeque<String>,
    /// When bots played us: their names and the times.
    met: HashMap<String, Vec<Instant>>,
    played: u32,
    idle_since: Instant,
    stopping: Option<Instant>,
    done: (UnboundedSender<Done>, UnboundedReceiver<Done>),
    news: (UnboundedSender<News>, UnboundedReceiver<News>),
}

/// How many games that are over are remembered.
const REMEMBERED: usize = 1000;
/// A challenge that was accepted begins at once, or not at all.
const BEGIN_TIME: Duration = Duration::from_secs(30);
/// How long a list of bots is good for.
const LIST_TIME: Duration = Duration::from_mins(5);
const DAY: Duration = Duration::from_hours(24);

impl Bot {
    fn new(context: Context) -> Self {
        let context = Arc::new(context);
        Self {
            events: follow::events(Arc::clone(&context.client)),
            matchmaker: Matchmaker::new(&context.config.matchmaking),
            context,
            games: HashMap::new(),
            accepted: HashMap::new(),
            queue: Queue::default(),
            bots: None,
            over: VecDeque::new(),
            met: HashMap::new(),
            played: 0,
            idle_since: Instant::now(),
            stopping: None,
            done: unbounded_channel(),
            news: unbounded_channel(),
        }
    }

    async fn run(mut self, mut stops: UnboundedReceiver<Stop>) -> Result<(), BotError> {
        // Games that ended while we were away tell so when asked.
        for UnderWay { id, speed, opponent } in self.context.archive.under_way() {
            let speed = Speed::of(&speed).unwrap_or(Speed::Blitz);
            let kind = Opponent::of(&opponent).unwrap_or(Opponent::Human);
            self.begin(id, kind, speed, Start::Resumed);
        }
        let mut clock = tokio::time::interval(Duration::from_millis(500));
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !self.is_finished() {
            tokio::select! {
                item = self.events.next() => match item {
                    Some(Item::Event(event)) => self.hear(event),
                    Some(Item::Opened) => (),
                    Some(Item::Missing(error)) => {
                        return Err(BotError::Api("the stream of events", error));
                    }
                    None => unreachable!("the stream ends with an error"),
                },
                Some(done) = self.done.1.recv() => self.game_over(&done),
                Some(news) = self.news.1.recv() => self.learn(news),
                Some(stop) = stops.recv() => {
                    if stop == Stop::Now || self.stopping.is_some() {
                        break;
                    }
                    self.stop_gently();
                }
                _ = clock.tick() => {
                    self.context.live.show();
                    self.tick(Instant::now());
                }
            }
        }
        self.withdraw().await;
        Ok(())
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::GameStart { game } => self.game_start(&game),
            Event::GameFinish { game } => {
                if let Some(game) = game.id().and_then(|id| self.games.get(id)) {
                    game.handle.look_again();
                }
            }
            Event::Challenge { challenge } => self.challenged(challenge),
            Event::ChallengeCanceled { challenge } => {
                self.queue.remove(&challenge.id);
                let reason = challenge.decline_reason_key.as_deref();
                self.matchmaker.was_declined(&challenge.id, reason, Instant::now());
                self.count_waiting();
            }
            Event::ChallengeDeclined { challenge } => {
                let reason = challenge.decline_reason_key.as_deref();
                if self.matchmaker.was_declined(&challenge.id, reason, Instant::now()) {
                    let reason = reason.unwrap_or("no reason");
                    tracing::info!("challenge {} declined: {reason}", challenge.id);
                }
            }
            Event::Unknown => (),
        }
    }

    fn game_start(&mut self, game: &GameInfo) {
        let Some(id) = game.id() else { return };
        if !game.is_for_bots() {
            tracing::info!("game {id} cannot be played by bots");
            return;
        }
        // The stream that was opened tells of games that we know, and so does the server at times.
        if self.games.contains_key(id) || self.over.iter().any(|over| over == id) {
            return;
        }
        self.matchmaker.game_began(id);
        let accepted = self.accepted.remove(id);
        let kind = accepted.map_or_else(|| game.opponent.kind(), |accepted| accepted.kind);
        self.begin(id.to_owned(), kind, game.speed(), Start::Fresh);
    }

    fn begin(&mut self, id: String, kind: Opponent, speed: Speed, start: Start) {
        tracing::info!("game {id}");
        let (context, done) = (Arc::clone(&self.context), self.done.0.clone());
        let handle = game::play(context, id.clone(), start, done);
        self.games.insert(id, Game { handle, kind, speed });
        self.note_games();
    }

    fn game_over(&mut self, done: &Done) {
        self.games.remove(&done.id);
        self.context.live.end(&done.id);
        self.note_games();
        self.over.push_back(done.id.clone());
        if self.over.len() > REMEMBERED {
            self.over.pop_front();
        }
        self.idle_since = Instant::now();
        if let Some(outcome) = &done.outcome {
            let (status, plies) = (&outcome.status, outcome.plies);
            tracing::info!("game {} over: {status} after {plies} plies", done.id);
            if outcome.points.is_some() {
                self.played += 1;
            }
            if outcome.is_bot {
                let name = outcome.opponent.to_lowercase();
                self.met.entry(name).or_default().push(Instant::now());
            }
        }
        let is_enough = self.context.config.play.quit_after.is_some_and(|n| self.played >= n);
        if is_enough && self.stopping.is_none() {
            tracing::info!("{} games played: that is enough", self.played);
            self.stop_gently();
        }
        self.serve();
    }

    fn note_games(&self) {
        let note = |(id, game): (&String, &Game)| UnderWay {
            id: id.clone(),
            speed: game.speed.name().to_owned(),
            opponent: game.kind.name().to_owned(),
        };
        let games: Vec<_> = self.games.iter().map(note).collect();
        if let Err(error) = self.context.archive.set_under_way(&games) {
            tracing::error!("the list of games cannot be written: {error}");
        }
    }

    fn challenged(&mut self, challenge: Challenge) {
        if self.accepted.contains_key(&challenge.id) || self.games.contains_key(&challenge.id) {
            return;
        }
        let from = challenge.challenger.clone().unwrap_or_default();
        let recent = from
            .id
            .as_ref()
            .and_then(|id| self.met.get(id))
            .map_or(0, |times| times.iter().filter(|time| time.elapsed() < DAY).count());
        let situation = Situation {
            me: &self.context.me,
            recent_games: recent,
            is_stopping: self.stopping.is_some(),
        };
        let id = challenge.id.clone();
        let refusal = match judge(&challenge, &self.context.config.challenge, situation) {
            ChallengeVerdict::Ignore => return,
            ChallengeVerdict::Decline(reason) => Some(reason),
            ChallengeVerdict::Accept => {
                let is_queued = self.queue.add(challenge, &self.context.config.challenge);
                (!is_queued).then_some(Reason::Later)
            }
        };
        if let Some(reason) = refusal {
            self.decline(&id, reason);
        }
        let verdict = verdict_name(refusal);
        tracing::info!("challenge {id} from {}: {verdict}", from.name());
        self.context.tell(Update::Challenge { id, from: from.name(), verdict });
        self.serve();
    }

    fn decline(&self, id: &str, reason: Reason) {
        let (context, id) = (Arc::clone(&self.context), id.to_owned());
        tokio::spawn(async move {
            if let Err(error) = context.client.decline(&id, reason).await {
                tracing::info!("challenge {id} cannot be declined: {error}");
            }
        });
    }

    /// Games under way and about to begin.
    fn taken(&self) -> Taken {
        let mut taken = Taken::default();
        for game in self.games.values() {
            taken.add(game.kind, game.speed);
        }
        for accepted in self.accepted.values() {
            taken.add(accepted.kind, accepted.speed);
        }
        taken
    }

    /// Accepts challenges that wait, as far as there is room.
    fn serve(&mut self) {
        let config = Arc::clone(&self.context.config);
        while let Some(challenge) =
            self.queue.next(&self.taken(), &config.challenge, &config.correspondence)
        {
            let (kind, speed, since) = (kind(&challenge), challenge.speed(), Instant::now());
            self.accepted.insert(challenge.id.clone(), Accepted { kind, speed, since });
            let (context, news) = (Arc::clone(&self.context), self.news.0.clone());
            tokio::spawn(async move {
                if let Err(error) = context.client.accept(&challenge.id).await {
                    tracing::info!("challenge {} cannot be accepted: {error}", challenge.id);
                    // It may have begun all the same: the answer to the first try was lost.
                    if !error.is_transient() {
                        let _ = news.send(News::NotAccepted(challenge.id));
                    }
                }
            });
        }
        self.count_waiting();
    }

    fn count_waiting(&self) {
        self.context.waiting.store(self.queue.len(), Ordering::Relaxed);
    }

    fn learn(&mut self, news: News) {
        match news {
            News::NotAccepted(id) => {
                self.accepted.remove(&id);
                self.serve();
            }
            News::Bots(Ok(bots)) => {
                self.bots = Some((Instant::now(), bots));
                self.challenge_somebody();
            }
            News::Bots(Err(error)) => {
                tracing::info!("no list of bots: {error}");
                self.matchmaker.failed("", &error, Instant::now());
            }
            News::Challenged(user, pool, Ok(challenge)) => {
                tracing::info!("challenging {user}: {}", challenge.id);
                let (id, to) = (challenge.id.clone(), user.clone());
                self.context.tell(Update::Challenging { id, to });
                self.matchmaker.made(challenge.id.clone(), &user, pool, Instant::now());
                // The game may have begun before the answer came.
                if self.games.contains_key(&challenge.id) || self.over.contains(&challenge.id) {
                    self.matchmaker.game_began(&challenge.id);
                }
            }
            News::Challenged(user, _, Err(error)) => {
                tracing::info!("{user} cannot be challenged: {error}");
                self.matchmaker.failed(&user, &error, Instant::now());
            }
        }
    }

    fn tick(&mut self, now: Instant) {
        let before = self.accepted.len();
        self.accepted.retain(|_, it| now.duration_since(it.since) < BEGIN_TIME);
        if self.accepted.len() < before {
            self.serve();
        }
        if let Some(pending) = self.matchmaker.overdue(now) {
            tracing::info!("{} does not answer", pending.user);
            let context = Arc::clone(&self.context);
            tokio::spawn(async move { context.client.cancel(&pending.id).await.ok() });
        }
        let is_idle = self.games.is_empty() && self.accepted.is_empty() && self.queue.len() == 0;
        if !is_idle {
            self.idle_since = now;
        } else if self.stopping.is_none() && self.matchmaker.is_due(now, self.idle_since) {
            self.matchmaker.begin(now);
            self.challenge_somebody();
        }
    }

    /// Challenges a bot that is online, after asking who is.
    fn challenge_somebody(&mut self) {
        let now = Instant::now();
        let (context, news) = (Arc::clone(&self.context), self.news.0.clone());
        let Some((_, bots)) = self.bots.as_ref().filter(|(at, _)| at.elapsed() < LIST_TIME) else {
            tokio::spawn(async move {
                let _ = news.send(News::Bots(context.client.online_bots(200).await));
            });
            return;
        };
        let chance = [random(), random()];
        let Some((bot, pool)) = self.matchmaker.choose(bots, &self.context.me, now, chance) else {
            tracing::info!("nobody to challenge among {} bots", bots.len());
            let nobody = ApiError::Garbled("nobody to challenge".to_owned());
            return self.matchmaker.failed("", &nobody, now);
        };
        let user = bot.id.clone();
        tokio::spawn(async move {
            let result = context.client.challenge(&user, Opponent::Bot, &pool).await;
            let _ = news.send(News::Challenged(user, pool, result.map(Box::new)));
        });
    }

    fn stop_gently(&mut self) {
        self.stopping = Some(Instant::now());
        for challenge in self.queue.drain() {
            self.decline(&challenge.id, Reason::Later);
        }
        self.count_waiting();
        let games = self.games.len();
        tracing::info!("stopping; {games} games under way");
        self.context.tell(Update::Stopping { games });
    }

    fn is_finished(&self) -> bool {
        let Some(since) = self.stopping else { return false };
        let play = &self.context.config.play;
        let is_live = |game: &Game| game.speed != Speed::Correspondence;
        let is_waiting = self.games.values().any(is_live) || !self.accepted.is_empty();
        play.on_stop == OnStop::Leave || !is_waiting || since.elapsed() >= play.stop_after
    }

    /// Takes back what others would wait for in vain.
    async fn withdraw(&mut self) {
        if let Some(pending) = self.matchmaker.withdraw() {
            let _ = self.context.client.cancel(&pending.id).await;
        }
        let left: Vec<_> = self.games.keys().cloned().collect();
        if !left.is_empty() {
            tracing::info!("left for later: {}", left.join(", "));
        }
    }
}
