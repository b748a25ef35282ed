// SPDX-License-Identifier: GPL-3.0-or-later
// Made from crates/board/src/protocol.rs: WRITE_PROTOCOL=1 cargo test -p board protocol

export const VERSION = 2;
export type Place = { 
/**
 * The first position, as a FEN.
 */
fen: string, 
/**
 * The moves since, in UCI notation.
 */
moves: Array<string>, };
export type Mind = { 
/**
 * The network's name.
 */
network: string, 
/**
 * The search's name.
 */
mode: string, };
export type Pace = { "kind": "elo", 
/**
 * The rating.
 */
elo: number, } | { "kind": "nodes", 
/**
 * How many.
 */
nodes: number, } | { "kind": "time", 
/**
 * Milliseconds.
 */
ms: number, } | { "kind": "clock", 
/**
 * Milliseconds left.
 */
ms: number, 
/**
 * Milliseconds that each move adds.
 */
increment: number, };
export type Document = { 
/**
 * The game with its variations and comments.
 */
pgn: string, 
/**
 * What the page wants to know besides; the server does not look into it.
 */
state: string, };
export type Request = { "type": "hello", 
/**
 * Of the page.
 */
version: number, 
/**
 * The session to go on with.
 */
session: string | null, } | { "type": "save", 
/**
 * The game and the page's state.
 */
document: Document, } | { "type": "games" } | { "type": "load", 
/**
 * Its session.
 */
session: string, } | { "type": "analyze", 
/**
 * Number of the request.
 */
id: number, 
/**
 * What to analyze.
 */
place: Place, 
/**
 * How.
 */
mind: Mind, 
/**
 * How many lines.
 */
lines: number, 
/**
 * Threads wanted; 0 leaves it to the server.
 */
threads: number, 
/**
 * For a tree search: the moves from the root to the node to be shown.
 */
focus: Array<string>, } | { "type": "focus", 
/**
 * The moves from the root to it.
 */
line: Array<string>, } | { "type": "play", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Where.
 */
place: Place, 
/**
 * How.
 */
mind: Mind, 
/**
 * How long.
 */
pace: Pace, } | { "type": "review", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The game.
 */
place: Place, 
/**
 * Who judges.
 */
mind: Mind, 
/**
 * Nodes for each position.
 */
nodes: number, } | { "type": "stop" } | { "type": "look", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The position.
 */
place: Place, } | { "type": "judges", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The game.
 */
place: Place, } | { "type": "openings", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The game.
 */
place: Place, } | { "type": "tables", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The position.
 */
place: Place, } | { "type": "runs" } | { "type": "watch", 
/**
 * Its name; nothing to watch none.
 */
name: string | null, };
export type Choices = { 
/**
 * Networks, the default first.
 */
networks: Array<string>, 
/**
 * Searches, the default first.
 */
modes: Array<string>, 
/**
 * The weakest rating.
 */
minElo: number, 
/**
 * The strongest rating.
 */
maxElo: number, 
/**
 * Threads of the server.
 */
threads: number, 
/**
 * Whether there is a folder of runs.
 */
runs: boolean, 
/**
 * The most men of the endgame tables; 0 without tables.
 */
tables: number, };
export type Value = { 
/**
 * Centipawns, White's view; nothing if there is a mate.
 */
cp: number | null, 
/**
 * Moves to mate, White's view; nothing if there is none.
 */
mate: number | null, 
/**
 * Thousandths that White wins, that nobody does, that Black does.
 */
wdl: [number, number, number], };
export type PvLine = { 
/**
 * 1 for the best.
 */
rank: number, 
/**
 * How deep.
 */
depth: number, 
/**
 * The longest line looked at.
 */
seldepth: number, 
/**
 * What it is worth.
 */
value: Value, 
/**
 * Its moves.
 */
moves: Array<string>, };
export type Findings = { 
/**
 * The lines, the best first.
 */
lines: Array<PvLine>, 
/**
 * Nodes; in a tree search, iterations.
 */
nodes: number, 
/**
 * Nodes per second.
 */
nps: number, 
/**
 * Milliseconds.
 */
time: number, 
/**
 * Per mille of the table in use.
 */
fill: number, 
/**
 * Threads that search.
 */
threads: number, };
export type Branch = { 
/**
 * The move; empty at the root.
 */
mv: string, 
/**
 * Iterations through it; in alpha-beta, nodes below it.
 */
visits: number, 
/**
 * How promising it looked at first.
 */
prior: number | null, 
/**
 * The expected score.
 */
value: number | null, 
/**
 * The chance of a draw.
 */
draw: number | null, 
/**
 * What exploration adds.
 */
explore: number | null, 
/**
 * A proved result in words.
 */
proof: string | null, 
/**
 * The moves after it, the best first.
 */
children: Array<Branch>, };
export type Judged = { 
/**
 * The move.
 */
mv: string, 
/**
 * The position after it.
 */
value: Value, 
/**
 * The winning chance after it in percent, White's view.
 */
chance: number, 
/**
 * How good it was, from 0 to 100.
 */
accuracy: number, 
/**
 * `!!`, `!`, `?!`, `?`, `??` or nothing.
 */
mark: string | null, 
/**
 * What the engine would have played instead, if the move is marked as bad.
 */
better: Array<string>, };
export type SideReview = { 
/**
 * Accuracy in percent; nothing without a move.
 */
accuracy: number | null, 
/**
 * Average loss in centipawns.
 */
acpl: number | null, 
/**
 * How many `!!`, `!`, `?!`, `?` and `??`.
 */
marks: [number, number, number, number, number], };
export type View = { 
/**
 * The network's name.
 */
network: string, 
/**
 * Its architecture.
 */
architecture: string, 
/**
 * What it says without any search.
 */
value: Value, 
/**
 * What each piece adds, in pawns, White's view.
 */
pieces: Array<[string, number]>, 
/**
 * The hidden layers.
 */
layers: Array<LayerView>, 
/**
 * Microseconds that one evaluation takes.
 */
micros: number, };
export type LayerView = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its values.
 */
values: Array<number>, };
export type Opinion = { 
/**
 * The network's name.
 */
network: string, 
/**
 * Its value of each position, the first one included.
 */
values: Array<Value>, };
export type Named = { 
/**
 * After so many moves.
 */
ply: number, 
/**
 * The code of the encyclopaedia.
 */
eco: string, 
/**
 * The name.
 */
name: string, };
export type Kept = { 
/**
 * Its session.
 */
session: string, 
/**
 * Seconds since 1970 when it was kept last.
 */
saved: number, 
/**
 * Who plays whom.
 */
title: string, 
/**
 * How many plies.
 */
plies: number, };
export type Run = { 
/**
 * Its folder's name.
 */
name: string, 
/**
 * `match`, `tune`, `screen`, `training` or `run`.
 */
kind: string, 
/**
 * Seconds since it last changed.
 */
age: number, 
/**
 * Whether a process is at work on it now.
 */
live: boolean, };
export type LiveBoard = { 
/**
 * What tells it from the others of its run.
 */
id: string, 
/**
 * White's name.
 */
white: string, 
/**
 * Black's name.
 */
black: string, 
/**
 * The first position.
 */
start: string, 
/**
 * The moves since, in UCI notation.
 */
moves: Array<string>, 
/**
 * The position now.
 */
fen: string, 
/**
 * White's and Black's clocks in milliseconds.
 */
clocks: [number | null, number | null], 
/**
 * The last score, White's view.
 */
score: string | null, };
export type TableMove = { 
/**
 * The move.
 */
mv: string, 
/**
 * From 2 for a win of the side that moves to -2 for a loss; 1 and -1 are spoilt or saved by the
 * fifty-move rule.
 */
wdl: number, 
/**
 * Plies to the next capture, pawn move or mate, from before the move.
 */
dtz: number | null, 
/**
 * Whether it mates at once.
 */
mate: boolean, };
export type Reply = { "type": "welcome", 
/**
 * Of the server.
 */
version: number, 
/**
 * This session's name.
 */
session: string, 
/**
 * What was kept of it.
 */
document: Document | null, 
/**
 * What there is to choose from.
 */
choices: Choices, } | { "type": "saved" } | { "type": "games", 
/**
 * The games.
 */
games: Array<Kept>, } | { "type": "loaded", 
/**
 * The game.
 */
document: Document, } | { "type": "info", 
/**
 * Number of the request.
 */
id: number, 
/**
 * What it found.
 */
found: Findings, } | { "type": "tree", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The moves from the root to the node.
 */
line: Array<string>, 
/**
 * The node.
 */
node: Branch, } | { "type": "waiting", 
/**
 * Number of the request.
 */
id: number, } | { "type": "done", 
/**
 * Number of the request.
 */
id: number, } | { "type": "move", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The move; nothing if the game is over.
 */
mv: string | null, 
/**
 * What the search found.
 */
found: Findings, } | { "type": "progress", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Positions that are done.
 */
done: number, 
/**
 * All positions.
 */
all: number, } | { "type": "reviewed", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The first position.
 */
start: Value, 
/**
 * Every move.
 */
moves: Array<Judged>, 
/**
 * White's share and Black's.
 */
sides: [SideReview, SideReview], } | { "type": "looked", 
/**
 * Number of the request.
 */
id: number, 
/**
 * One for each network.
 */
views: Array<View>, } | { "type": "judges", 
/**
 * Number of the request.
 */
id: number, 
/**
 * One for each network.
 */
opinions: Array<Opinion>, } | { "type": "openings", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Where the name changes.
 */
names: Array<Named>, } | { "type": "tables", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The moves, the best first.
 */
moves: Array<TableMove>, } | { "type": "runs", 
/**
 * The runs.
 */
runs: Array<Run>, } | { "type": "run", 
/**
 * Its name.
 */
name: string, 
/**
 * The page that `quincunx report` makes of it, or what is wrong.
 */
page: string, 
/**
 * Its latest games, as PGN.
 */
games: string, } | { "type": "live", 
/**
 * The run's name.
 */
name: string, 
/**
 * The games.
 */
games: Array<LiveBoard>, } | { "type": "error", 
/**
 * Number of the request, if it has one.
 */
id: number | null, 
/**
 * What happened, what was expected, and what to do.
 */
message: string, };
