// SPDX-License-Identifier: GPL-3.0-or-later
// Playing: moves by clicks and by dragging, promotion, take-back, clocks, premoves, reload, two tabs.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import * as h from './harness.mjs';

let board, browser, page, context, faults;
before(async () => {
  board = await h.startBoard();
  browser = await h.startBrowser();
});
after(async () => {
  await browser?.close();
  await board?.stop();
});
beforeEach(async () => ({ page, context, faults } = await h.openPage(browser, board.url)));
afterEach(async () => {
  await context.close();
  assert.deepEqual(faults, []);
});

/** Begins a game from a position; a small number of nodes answers at once. */
async function playFrom(fen, { seat = 'White', kind = 'nodes' } = {}) {
  await h.importText(page, fen);
  await h.goTo(page, 'Play');
  await page.getByRole('radio', { name: seat, exact: true }).click();
  await page.locator('form select').nth(2).selectOption(kind);
  await page.locator('form select').last().selectOption('here');
  await page.getByTestId('start').click();
}

test('a game to mate by clicks, against the engine', async () => {
  await playFrom('7k/8/5KQ1/8/8/8/8/8 w - - 0 1');
  await h.clickMove(page, 'g6', 'g7');
  await page.getByTestId('result').waitFor();
  assert.match(await page.getByTestId('result').textContent(), /1-0 White wins: checkmate/);
  assert.deepEqual(await h.moves(page), ['Qg7#']);
});

test('a game to mate by dragging, with answers in between', async () => {
  await playFrom('k7/8/8/8/8/8/1R6/2R4K w - - 0 1');
  await h.dragMove(page, 'c1', 'a1');
  await page.getByTestId('result').waitFor();
  assert.match(await page.getByTestId('result').textContent(), /checkmate/);
  await page.getByTestId('new-game').click();
  await page.getByTestId('start').waitFor();
});

test('the engine answers, and moves are taken back', async () => {
  await page.getByTestId('start').click();
  await h.clickMove(page, 'e2', 'e4');
  await h.expectMoves(page, 2);
  await h.dragMove(page, 'd2', 'd4');
  await h.expectMoves(page, 4);
  await page.getByTestId('takeback').click();
  assert.equal((await h.moves(page)).length, 2);
  await page.getByTestId('resign').click();
  assert.equal(await page.getByTestId('result').count(), 0, 'a resignation is asked again');
  await page.getByTestId('resign').click();
  assert.match(await page.getByTestId('result').textContent(), /0-1 Black wins: resignation/);
});

test('a pawn becomes what is chosen', async () => {
  await h.importText(page, '8/4P1k1/8/8/8/8/6K1/8 w - - 0 1');
  await h.clickMove(page, 'e7', 'e8');
  await page.getByRole('button', { name: 'knight' }).click();
  assert.deepEqual(await h.moves(page), ['e8=N+']);
  await page.keyboard.press('ArrowLeft');
  await h.clickMove(page, 'e7', 'e8');
  await page.getByRole('button', { name: 'queen' }).click();
  assert.deepEqual(await h.moves(page), ['e8=N+', 'e8=Q']);
});

test('the board turns', async () => {
  await page.keyboard.press('f');
  assert.equal(await page.locator('.board-box .orientation-black').count(), 1);
  await h.goTo(page, 'Analyze');
  await h.clickMove(page, 'e2', 'e4', true);
  await h.expectMoves(page, 1);
  assert.deepEqual(await h.moves(page), ['e4']);
});

test('a reload in the middle of a game brings it back', async () => {
  await page.getByTestId('start').click();
  await h.clickMove(page, 'e2', 'e4');
  await h.expectMoves(page, 2);
  const before = await h.moves(page);
  await page.waitForTimeout(700);
  await page.reload();
  await h.expectMoves(page, 2);
  assert.deepEqual(await h.moves(page), before);
  await h.clickMove(page, 'd2', 'd3');
  await h.expectMoves(page, 4);
});

test('two tabs play two games', async () => {
  const other = await h.openPage(browser, board.url);
  await Promise.all([page, other.page].map(each => each.getByTestId('start').click()));
  await h.clickMove(page, 'e2', 'e4');
  await h.clickMove(other.page, 'c2', 'c4');
  await Promise.all([page, other.page].map(each => h.expectMoves(each, 2)));
  assert.equal((await h.moves(page))[0], 'e4');
  assert.equal((await h.moves(other.page))[0], 'c4');
  await other.context.close();
  assert.deepEqual(other.faults, []);
});

test('clocks run, and a move made ahead is played', async () => {
  await page.locator('form select').nth(2).selectOption('time');
  await page.locator('input[type=number]').fill('0.8');
  await page.getByRole('combobox', { name: /Clock/ }).selectOption('1+0');
  await page.getByTestId('start').click();
  await page.waitForTimeout(300);
  await h.clickMove(page, 'e2', 'e4');
  await h.clickMove(page, 'd2', 'd3');
  await h.expectMoves(page, 3);
  assert.equal((await h.moves(page))[2], 'd3');
  await page.waitForFunction(() => /^0:5/.test(document.querySelector('[data-testid=player-white] time').textContent), null, { timeout: 15_000 });
});

test('any two networks and searches play each other', async () => {
  await page.getByRole('radio', { name: 'Engines only' }).click();
  const selects = page.locator('form select');
  for (const [at, value] of [[0, 'nectar'], [1, 'mcts'], [2, 'nodes'], [3, 'tal'], [4, 'classic'], [5, 'nodes']]) await selects.nth(at).selectOption(value);
  for (const field of await page.locator('input[type=number]').all()) await field.fill('60');
  await page.getByTestId('start').click();
  await h.expectMoves(page, 6);
  assert.match(await page.getByTestId('player-white').textContent(), /nectar, mcts/);
  assert.match(await page.getByTestId('player-black').textContent(), /tal, classic/);
});

test('a draw is offered, captured pieces are counted, and there is a rematch', async () => {
  await playFrom('6k1/8/8/3q4/4P3/8/8/6K1 w - - 0 1');
  await h.clickMove(page, 'e4', 'd5');
  await h.expectMoves(page, 2);
  assert.equal(await page.getByTestId('surplus-white').getAttribute('aria-label'), 'ahead by pawn');
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  assert.match(await page.getByTestId('notice').textContent(), /declines/);
  const seen = page.getByTestId('thought');
  await seen.waitFor();
  await page.getByRole('switch', { name: "Engine's view" }).click();
  await seen.waitFor({ state: 'detached' });
  for (let i = 0; i < 2; i++) await page.getByTestId('resign').click();
  await page.getByTestId('rematch').click();
  await page.locator('.board-box .orientation-black').waitFor();
  assert.match(await page.getByTestId('player-black').textContent(), /You/);
});

test('a game goes on from a position of another', async () => {
  await h.importText(page, h.OPERA);
  await page.keyboard.press('ArrowDown');
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
  await page.getByTestId('play-on').click();
  await page.locator('form select').nth(2).selectOption('nodes');
  assert.equal(await page.getByRole('combobox', { name: 'Start' }).inputValue(), 'here');
  await page.getByTestId('start').click();
  await h.dragMove(page, 'd2', 'd3');
  await page.waitForFunction(() => document.querySelectorAll('.columns .interrupt .variation .move').length >= 1);
});

test('a game goes on while one analyzes', async () => {
  await page.locator('form select').nth(2).selectOption('time');
  await page.locator('input[type=number]').fill('1.5');
  await page.getByTestId('start').click();
  await h.clickMove(page, 'e2', 'e4');
  await page.getByRole('button', { name: 'Analyze' }).last().click();
  await h.expectMoves(page, 2);
  await page.getByTestId('pv').first().waitFor();
  const wheel = await h.square(page, 'e4');
  await page.mouse.move(...wheel);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => document.querySelector('.move.current')?.textContent === 'e4');
});

test('a game that was kept is opened again', async () => {
  await h.importText(page, h.LONG);
  await page.waitForTimeout(600);
  const other = await h.openPage(browser, board.url);
  await h.goTo(other.page, 'Analyze');
  await other.page.getByRole('button', { name: 'Games' }).click();
  await other.page.getByRole('button', { name: /Anna – Ben/ }).first().click();
  await h.expectMoves(other.page, 80);
  await other.context.close();
  assert.deepEqual(other.faults, []);
});

test('engines play each other, in Chess960, and pause', async () => {
  await page.getByRole('radio', { name: 'Engines only' }).click();
  for (const at of [2, 5]) await page.locator('form select').nth(at).selectOption('nodes');
  for (const field of await page.locator('input[type=number]').all()) await field.fill('300');
  await page.locator('form select').last().selectOption('chess960');
  await page.getByTestId('start').click();
  await h.expectMoves(page, 8);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
});
