// SPDX-License-Identifier: GPL-3.0-or-later
//! Players that the fake plays for: any legal move by chance, and some bad manners.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Color;
use serde_json::json;

use crate::game::Game;
use crate::world::{Shared, World};

/// What a scripted player does besides moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Nothing.
    Plain,
    /// Offers a draw now and then.
    OffersDraws,
    /// Asks to take moves back.
    AsksTakebacks,
    /// Leaves for good after some moves.
    Leaves,
    /// Leaves, and comes back.
    LeavesAndReturns,
    /// Never makes a first move.
    NeverBegins,
    /// Talks without end.
    Talks,
    /// Gives up after some moves.
    Resigns,
    /// Moves only so often, that games last long.
    Slow,
    /// Thinks long about the third move, and not at all about the others.
    Pauses,
}

/// The ply at which those leave who do: before anybody can be mated.
const LEAVES_AT: usize = 4;
const PAUSE: Duration = Duration::from_millis(3500);

/// Plays a game for a scripted account.
pub(crate) fn start(shared: Arc<Shared>, id: String, user: String) {
    tokio::spawn(async move {
        let mut player = ScriptedPlayer { id, user, random: 88_172_645_463_325_252, last_said: 0 };
        player.random ^= player.id.bytes().fold(7, |sum, byte| sum * 131 + u64::from(byte));
        while player.act(&mut shared.world()) {
            let pause = if player.is_slow(&shared) { 250 } else { 4 };
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
    });
}

struct ScriptedPlayer {
    id: String,
    user: String,
    random: u64,
    /// The ply at which something was last said or asked.
    last_said: usize,
}

impl ScriptedPlayer {
    fn is_slow(&self, shared: &Shared) -> bool {
        shared.world().games.get(&self.id).is_some_and(|game| game.part == Part::Slow)
    }

    /// Does something if it is time. `false` when the game is over.
    fn act(&mut self, world: &mut World) -> bool {
        let Some(game) = world.games.get_mut(&self.id) else { return false };
        let Some(color) = game.color_of(&self.user) else { return false };
        if game.is_over() {
            return false;
        }
        let has_changed = agree(game, color) | self.misbehave(game, color);
        let is_absent = match game.part {
            Part::Leaves => game.moves.moves().len() >= LEAVES_AT,
            Part::NeverBegins => true,
            Part::Pauses => {
                (4..6).contains(&game.moves.moves().len()) && game.thinking_for() < PAUSE
            }
            // Back before the win can be claimed.
            Part::LeavesAndReturns => game.claimable[color.index()].is_some_and(|time| {
                time.saturating_duration_since(Instant::now()) > Duration::from_millis(700)
            }),
            _ => false,
        };
        let has_moved = !is_absent && !game.is_over() && self.move_by_chance(game, color);
        if has_changed || has_moved {
            world.push(&self.id);
        }
        true
    }

    fn move_by_chance(&mut self, game: &mut Game, color: Color) -> bool {
        if game.turn() != color {
            return false;
        }
        let moves = game.moves.board().legal_moves();
        if moves.is_empty() {
            return false;
        }
        let index = self.next() as usize % moves.len();
        let mode = chess::CastlingMode::Chess960;
        let text = moves[index].uci(mode).to_string();
        if game.claimable[color.index()].is_some() {
            game.tell(&json!({"type": "opponentGone", "gone": false}));
        }
        game.play(color, &text).is_ok()
    }

    /// What the part asks for besides moves. Whether the state has changed.
    fn misbehave(&mut self, game: &mut Game, color: Color) -> bool {
        let ply = game.moves.moves().len();
        if ply <= self.last_said {
            return false;
        }
        let is_time = |every: usize| ply >= every && ply / every > self.last_said / every;
        match game.part {
            Part::OffersDraws if is_time(6) => game.draws[color.index()] = true,
            Part::AsksTakebacks if is_time(9) && ply >= 4 => {
                game.takebacks[color.index()] = true;
            }
            Part::Resigns if is_time(20) => game.end("resign", Some(!color)),
            Part::Leaves | Part::LeavesAndReturns
                if is_time(LEAVES_AT) && self.last_said < LEAVES_AT =>
            {
                leave(game, color);
            }
            Part::Talks if is_time(4) => self.talk(game),
            _ => return false,
        }
        self.last_said = ply;
        !matches!(game.part, Part::Talks | Part::Leaves | Part::LeavesAndReturns)
    }

    fn talk(&self, game: &mut Game) {
        for (number, room) in (0..30).zip(["player", "spectator"].into_iter().cycle()) {
            let text = ["!help", "!eval", "!name", "hello", "!queue"][number % 5];
            game.tell(&json!({
                "type": "chatLine", "room": room, "username": self.user, "text": text
            }));
        }
    }

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }
}

/// Agrees to a draw that is offered, if the part does. Whether the game has ended by it.
fn agree(game: &mut Game, color: Color) -> bool {
    let is_offered = game.draws[(!color).index()];
    if is_offered && game.part == Part::OffersDraws {
        game.end("draw", None);
    }
    is_offered && game.is_over()
}

/// Leaves the board; after a second, the other side may claim the win.
fn leave(game: &mut Game, color: Color) {
    game.claimable[color.index()] = Some(Instant::now() + Duration::from_secs(1));
    game.tell(&json!({"type": "opponentGone", "gone": true, "claimWinInSeconds": 1}));
}
