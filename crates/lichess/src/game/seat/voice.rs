// SPDX-License-Identifier: GPL-3.0-or-later
//! What the seat says: to the players and spectators in the chat, and to whoever watches the bot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chess::White;
use tools::live::LiveGame;

use super::Seat;
use super::act::Thought;
use crate::client::Room;
use crate::game::judge::centipawns;
use crate::game::talk::{Facts, fill};
use crate::model::ChatLine;
use crate::update::{GameView, Update, color_name};

impl Seat {
    /// Greets the opponent and the spectators.
    pub(in crate::game) fn greet(&self) {
        let chat = &self.context.config.chat;
        self.say(Room::Player, &chat.greeting);
        self.say(Room::Spectator, &chat.spectator_greeting);
    }

    /// Says something, unless it is nothing.
    pub(in crate::game) fn say(&self, room: Room, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = fill(text, &self.context.me.username, &self.opponent.name());
        let (context, id) = (Arc::clone(&self.context), self.full.id.clone());
        tokio::spawn(async move {
            if let Err(error) = context.client.say(&id, room, &text).await {
                tracing::info!("game {id}: chat: {error}");
            }
        });
    }

    /// Says a last word, for which the end of the game waits a moment.
    pub(in crate::game) async fn say_last(&self, room: Room, text: &str) {
        const MOMENT: Duration = Duration::from_secs(3);
        if !text.is_empty() {
            let text = fill(text, &self.context.me.username, &self.opponent.name());
            let saying = self.context.client.say(&self.full.id, room, &text);
            // Politeness is not worth more than that.
            let _ = tokio::time::timeout(MOMENT, saying).await;
        }
    }

    pub(super) fn answer(&mut self, line: &ChatLine) {
        let facts = Facts {
            engine: engine::NAME.to_owned(),
            eval: self.shown.as_ref().map(|thought| self.eval_text(thought)),
            queue: self.context.waiting.load(Ordering::Relaxed),
        };
        if let Some((room, text)) = self.talk.answer(line, &facts, Instant::now()) {
            self.say(room, &text);
        }
    }

    fn eval_text(&self, thought: &Thought) -> String {
        let Thought { mut board, line } = thought.clone();
        let mut moves = vec![];
        for mv in line.moves.into_iter().take(6) {
            moves.push(board.san(mv).to_string());
            board.play(mv);
        }
        let score = White::seen_by(self.color, thought.score()).get();
        format!("{score} for White, depth {}: {}", line.depth, moves.join(" "))
    }

    fn last_san(&self) -> Option<String> {
        let mut before = self.moves.game.clone();
        let mv = before.undo()?;
        Some(before.board().san(mv).to_string())
    }

    /// Shows the game to whoever watches.
    pub(in crate::game) fn tell(&mut self) {
        self.last_told = Instant::now();
        let seen = |thought: &Thought| White::seen_by(self.color, thought.score());
        let score = self.shown.as_ref().map(seen);
        let last = self.moves.game.moves().last();
        let clocks = [self.state.wtime, self.state.btime];
        self.context.live.set(LiveGame {
            id: self.full.id.clone(),
            white: self.full.white.name(),
            black: self.full.black.name(),
            fen: self.moves.game.start().fen().to_string(),
            moves: self.moves.game.moves().iter().map(|&mv| self.moves.text(mv)).collect(),
            clocks: clocks.map(|clock| self.has_clock().then_some(clock)),
            score: score.map(|score| score.get().to_string()),
        });
        self.context.tell(Update::Game(Box::new(GameView {
            id: self.full.id.clone(),
            white: self.full.white.name(),
            black: self.full.black.name(),
            color: color_name(self.color),
            fen: self.moves.game.board().fen().to_string(),
            last_move: last.map(|&mv| self.moves.text(mv)),
            last_san: self.last_san(),
            ply: self.ply(),
            clocks: self.has_clock().then_some(clocks),
            eval: score.map(|score| centipawns(score.get()).0),
            score: score.map(|score| score.get().to_string()),
            depth: self.shown.as_ref().map(|thought| thought.line.depth),
        })));
    }
}
