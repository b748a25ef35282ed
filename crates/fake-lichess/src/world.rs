// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything there is: users, challenges, games, and who listens.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::challenge::{Challenge, ChallengeSpec, Status};
use crate::external::External;
use crate::faults::{Moment, NetworkFault, Script};
use crate::game::{Game, GameReport};
use crate::opponent;
use crate::stream::Tap;

/// How the fake behaves.
#[derive(Clone, Debug)]
pub struct FakeSettings {
    /// How often a stream has a blank line.
    pub keep_alive: Duration,
    /// How long something slow takes.
    pub slow: Duration,
    /// What goes wrong.
    pub script: Script,
    /// The port; any free one if 0.
    pub port: u16,
}

impl Default for FakeSettings {
    fn default() -> Self {
        Self {
            keep_alive: Duration::from_secs(7),
            slow: Duration::from_millis(300),
            script: Script::none(),
            port: 0,
        }
    }
}

/// An account.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) rating: u32,
    /// Whether the fake plays for it.
    pub(crate) is_scripted: bool,
}

impl User {
    pub(crate) fn json(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "title": self.title, "rating": self.rating,
            "flair": "new.field",
        })
    }
}

/// What was asked for, and how often.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// When streams of events were opened.
    pub event_streams: Vec<Instant>,
    /// Streams of games that were opened.
    pub game_streams: usize,
    /// Moves that were sent, accepted or not.
    pub moves: usize,
    /// Requests for the account.
    pub accounts: usize,
    /// When challenges were made by clients.
    pub challenges: Vec<Instant>,
    /// Requests for the list of bots.
    pub bot_lists: usize,
    /// All requests.
    pub requests: usize,
    /// Limits of the real server that were broken.
    pub violations: Vec<String>,
}

pub(crate) struct World {
    pub(crate) users: HashMap<String, User>,
    pub(crate) tokens: HashMap<String, String>,
    pub(crate) challenges: BTreeMap<String, Challenge>,
    pub(crate) games: BTreeMap<String, Game>,
    pub(crate) events: HashMap<String, Tap>,
    pub(crate) script: Script,
    pub(crate) counts: Counts,
    pub(crate) external: External,
    /// What the next challenges by clients get instead of an answer: a status and a body.
    pub(crate) challenge_answers: VecDeque<(u16, Value)>,
    /// What scripted users answer to challenges: a reason for declining, or nothing if they accept.
    pub(crate) refusals: HashMap<String, String>,
    next_id: u64,
}

pub(crate) struct Shared {
    pub(crate) settings: FakeSettings,
    world: Mutex<World>,
}

impl Shared {
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running fake. Dropped, it is gone.
pub struct Fake {
    url: String,
    shared: Arc<Shared>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fake").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl Fake {
    /// Starts a server on 127.0.0.1.
    ///
    /// # Panics
    /// If the port is taken.
    pub async fn start(settings: FakeSettings) -> Self {
        let world = World {
            users: HashMap::new(),
            tokens: HashMap::new(),
            challenges: BTreeMap::new(),
            games: BTreeMap::new(),
            events: HashMap::new(),
            script: settings.script.clone(),
            counts: Counts::default(),
            external: External::default(),
            challenge_answers: VecDeque::new(),
            refusals: HashMap::new(),
            next_id: 0,
        };
        let port = settings.port;
        let shared = Arc::new(Shared { settings, world: Mutex::new(world) });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let server = tokio::spawn(crate::server::serve(listener, Arc::clone(&shared)));
        let flags = tokio::spawn(watch_clocks(Arc::clone(&shared)));
        Self { url, shared, tasks: vec![server, flags] }
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Adds an account that clients use.
    pub fn add_user(&self, name: &str, title: Option<&str>, token: &str) {
        let user = user(name, title, 2000, false);
        let mut world = self.shared.world();
        world.tokens.insert(token.to_owned(), user.id.clone());
        world.users.insert(user.id.clone(), user);
    }

    /// Adds an account that the fake plays for.
    pub fn add_scripted(&self, name: &str, title: Option<&str>, rating: u32) {
        let user = user(name, title, rating, true);
        self.shared.world().users.insert(user.id.clone(), user);
    }

    /// Lets a scripted account decline all challenges.
    pub fn set_refusal(&self, name: &str, reason: &str) {
        let mut world = self.shared.world();
        world.refusals.insert(name.to_lowercase(), reason.to_owned());
    }

    /// The next challenge by a client gets this answer.
    pub fn answer_challenge(&self, status: u16, body: Value) {
        self.shared.world().challenge_answers.push_back((status, body));
    }

    /// A scripted account challenges somebody.
    pub fn challenge(&self, from: &str, to: &str, spec: ChallengeSpec) -> String {
        let mut world = self.shared.world();
        let (from, to) = (world.user(from), world.user(to));
        world.challenge(from, to, spec)
    }

    /// A scripted account takes its challenge back.
    pub fn cancel(&self, id: &str) {
        self.shared.world().cancel(id);
    }

    /// What became of a challenge: `created`, `accepted`, `canceled`, or the reason it was declined.
    pub fn challenge_status(&self, id: &str) -> String {
        match self.shared.world().challenges.get(id).map(|challenge| challenge.status.clone()) {
            None => "unknown".to_owned(),
            Some(Status::Created) => "created".to_owned(),
            Some(Status::Accepted) => "accepted".to_owned(),
            Some(Status::Canceled) => "canceled".to_owned(),
            Some(Status::Declined(reason)) => reason,
        }
    }

    /// All challenges by clients and what became of them.
    pub fn challenges(&self) -> Vec<String> {
        self.shared.world().challenges.keys().cloned().collect()
    }

    /// How all games stand.
    pub fn games(&self) -> Vec<GameReport> {
        self.shared.world().games.values().map(Game::report).collect()
    }

    /// What was asked for.
    pub fn counts(&self) -> Counts {
        self.shared.world().counts.clone()
    }

    /// How often each fault has happened.
    pub fn faults(&self) -> BTreeMap<NetworkFault, u32> {
        self.shared.world().script.counts().clone()
    }

    /// Whether somebody listens to an account's events.
    pub fn is_online(&self, name: &str) -> bool {
        let world = self.shared.world();
        world.events.get(&name.to_lowercase()).is_some_and(Tap::is_open)
    }

    /// Hands work to the external engine, and returns its number.
    pub fn analyze(&self, work: Value) -> String {
        self.shared.world().external.add(work)
    }

    /// What the external engine has sent for a piece of work, and whether it is done.
    pub fn analysis(&self, id: &str) -> (Vec<String>, bool) {
        self.shared.world().external.result(id)
    }

    /// Nobody looks at a piece of work any more.
    pub fn abandon(&self, id: &str) {
        self.shared.world().external.abandon(id);
    }

    /// Waits until something is true; `false` if it takes too long.
    pub async fn wait_for(&self, patience: Duration, is_so: impl Fn(&Self) -> bool) -> bool {
        let end = Instant::now() + patience;
        while !is_so(self) {
            if Instant::now() > end {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        true
    }
}

fn user(name: &str, title: Option<&str>, rating: u32, is_scripted: bool) -> User {
    User {
        id: name.to_lowercase(),
        name: name.to_owned(),
        title: title.map(str::to_owned),
        rating,
        is_scripted,
    }
}

/// Ends games whose clocks have run out.
async fn watch_clocks(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let mut world = shared.world();
        let games: Vec<_> = world.games.keys().cloned().collect();
        for id in games {
            if world.games.get_mut(&id).is_some_and(Game::flag) {
                world.push(&id);
            }
        }
    }
}

impl World {
    pub(crate) fn user(&self, name: &str) -> User {
        self.users.get(&name.to_lowercase()).cloned().expect("a known user")
    }

    pub(crate) fn new_id(&mut self) -> String {
        self.next_id += 1;
        format!("g{:07}", self.next_id)
    }

    /// Sends an event to an account, if anybody listens.
    pub(crate) fn tell(&mut self, user: &str, event: &Value) {
        let Some(tap) = self.events.get(user).filter(|tap| tap.is_open()) else { return };
        match self.script.draw(Moment::Event) {
            Some(NetworkFault::EventHalfLine) => tap.send_half(event),
            Some(NetworkFault::EventStall) => tap.stall(),
            Some(NetworkFault::EventClose) => tap.close(),
            Some(NetworkFault::EventDuplicate) => {
                tap.send(event);
                tap.send(event);
            }
            Some(NetworkFault::EventUnknown) => {
                tap.send(&json!({"type": "teaParty", "guests": [{"id": "hatter"}]}));
                tap.send(event);
            }
            _ => tap.send(event),
        }
    }

    pub(crate) fn challenge(&mut self, from: User, to: User, spec: ChallengeSpec) -> String {
        let id = self.new_id();
        let (target, source) = (to.id.clone(), from.id.clone());
        let status = Status::Created;
        let challenge = Challenge { id: id.clone(), from, to, spec, status };
        let event = json!({"type": "challenge", "challenge": challenge.json(), "compat": {}});
        self.challenges.insert(id.clone(), challenge);
        self.tell(&target, &event);
        self.tell(&source, &event);
        id
    }

    pub(crate) fn cancel(&mut self, id: &str) {
        let Some(challenge) = self.challenges.get_mut(id) else { return };
        challenge.status = Status::Canceled;
        let event = json!({"type": "challengeCanceled", "challenge": challenge.json()});
        let (from, to) = (challenge.from.id.clone(), challenge.to.id.clone());
        self.tell(&from, &event);
        self.tell(&to, &event);
    }

    pub(crate) fn decline(&mut self, id: &str, reason: &str) {
        let Some(challenge) = self.challenges.get_mut(id) else { return };
        challenge.status = Status::Declined(reason.to_owned());
        let event = json!({"type": "challengeDeclined", "challenge": challenge.json()});
        let from = challenge.from.id.clone();
        self.tell(&from, &event);
    }

    /// Tells both sides how a game stands, and that it is over if it is.
    pub(crate) fn push(&mut self, id: &str) {
        let fault = self.script.draw(Moment::State);
        let Some(game) = self.games.get_mut(id) else { return };
        game.push(fault);
        if game.is_over() {
            let players = game.players.clone();
            let events = players.map(|player| {
                let info = game.info(&player.id);
                (player.id, json!({"type": "gameFinish", "game": info}))
            });
            for (user, event) in events {
                self.tell(&user, &event);
            }
        }
    }
}

/// Begins the game of a challenge.
pub(crate) fn begin(shared: &Arc<Shared>, id: &str) {
    let mut world = shared.world();
    let Some(challenge) = world.challenges.get_mut(id) else { return };
    if challenge.status != Status::Created {
        return;
    }
    challenge.status = Status::Accepted;
    let challenge = challenge.clone();
    let (from, to) = (challenge.from.clone(), challenge.to.clone());
    let is_odd = id.bytes().last().is_some_and(|digit| digit % 2 == 1);
    let is_white = match challenge.spec.color.as_str() {
        "white" => true,
        "black" => false,
        _ => is_odd,
    };
    let players = if is_white { [from, to] } else { [to, from] };
    let part = challenge.spec.part;
    let mut game = Game::new(id.to_owned(), challenge.spec.clone(), players.clone(), part);
    game.is_castling_by_rook = world.script.draw(Moment::GameBegins).is_some();
    world.games.insert(id.to_owned(), game);
    for player in players {
        if player.is_scripted {
            opponent::start(Arc::clone(shared), id.to_owned(), player.id);
        } else {
            let info = world.games[id].info(&player.id);
            world.tell(&player.id, &json!({"type": "gameStart", "game": info}));
        }
    }
}
