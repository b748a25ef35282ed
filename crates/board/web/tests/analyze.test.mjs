// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis: lines, threats, keyboard, PGN, review, editor, networks, trees.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import * as h from './harness.mjs';

let board, browser, page, context, faults;
before(async () => {
  board = await h.startBoard({ more: ['--syzygy', join(import.meta.dirname, '../../../tablebase/tests/data')] });
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


test('lines, arrows, bars and counts appear and can be played', async () => {
  await h.goTo(page, 'Analyze');
  await page.keyboard.press('l');
  await page.getByTestId('pv').nth(2).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.board-box svg.cg-shapes line').length > 0);
  assert.match(await page.getByTestId('counts').textContent(), /depth \d+\/\d+.*nodes.*\/s/);
  assert.match(await page.getByTestId('wdl').first().getAttribute('aria-label'), /White wins/);
  await page.getByTestId('pv').first().locator('.pv-move').nth(1).hover();
  await page.locator('.preview piece').first().waitFor();
  await page.getByTestId('pv').first().locator('.pv-move').nth(1).click();
  assert.equal((await h.moves(page)).length, 2);
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.querySelectorAll('.board-box svg.cg-shapes line').length === 0);
  await page.keyboard.press('a');
  await page.keyboard.press('l');
  await page.waitForFunction(() => document.querySelectorAll('.board-box svg.cg-shapes line').length === 0);
});

test('the keyboard does as on Lichess', async () => {
  await h.importText(page, h.OPERA);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('.move.current').textContent(), 'Rd8#');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('.move.current').count(), 0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.move.current').textContent(), 'e5');
  await page.keyboard.press('z');
  assert.equal(await page.getByTestId('eval-bar').count(), 0);
  await page.keyboard.press('z');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await page.waitForFunction(() => document.querySelector('.board-box svg.cg-shapes line')?.getAttribute('stroke') === '#b3372b');
  await page.keyboard.press('x');
  await page.getByTestId('pv').first().waitFor();
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelector('.move.current')?.textContent !== 'e5');
});

test('a PGN with variations and comments goes in and comes out', async () => {
  await h.importText(page, h.OPERA);
  const out = await h.exportPgn(page);
  for (const part of ['[White "Paul Morphy"]', '( 3... exd4 4. Nxd4 Nf6 { solid } ( 4... g6 ) )', '17. Rd8# 1-0']) {
    assert.ok(out.includes(part), `${part}\n${out}`);
  }
  await h.importText(page, out);
  assert.equal(await h.exportPgn(page), out);
  assert.match(await page.getByTestId('opening').textContent(), /C41|C40|B00/);
});

test('texts are pasted, dropped, and chosen from', async () => {
  await h.goTo(page, 'Analyze');
  const fen = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
  await page.evaluate(text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, fen);
  await page.waitForFunction(() => document.querySelectorAll('.board-box cg-board piece:not(.ghost)').length === 3);
  await page.evaluate(text => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'games.pgn'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  }, `${h.OPERA}\n\n${h.LONG}\n`);
  await page.getByRole('button', { name: /2\. Anna – Ben/ }).click();
  await h.expectMoves(page, 80);
  assert.match(await page.getByTestId('player-white').textContent(), /½.*Anna/);
});

test('moves get marks and comments, and variations become main lines', async () => {
  await h.importText(page, h.OPERA);
  const menu = async (name, item) => {
    await page.locator('.move', { hasText: name }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await menu('dxe5', '!?');
  await menu('dxe5', 'Comment…');
  await page.getByTestId('comment-text').fill('An old line {so} it is');
  await page.getByTestId('comment-keep').click();
  await menu('exd4', 'Make main line');
  const out = await h.exportPgn(page);
  assert.match(out, /3\. d4 exd4/);
  assert.match(out, /dxe5 \$5 \{ An old line \{so\) it is \}/);
  await menu('exd4', 'Delete from here');
  assert.ok(!(await h.exportPgn(page)).includes('exd4'));
  await page.keyboard.press('Shift+I');
  assert.equal(await page.locator('.columns').count(), 0);
  await page.keyboard.press('Shift+I');
});

test('tables tell the result of an ending', async () => {
  await h.importText(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByTestId('tables').waitFor();
  assert.match(await page.getByTestId('tables').textContent(), /A draw.*Kf2|A draw.*Kd2|A draw.*e4/);
  await h.importText(page, '8/3k4/8/3K4/3P4/8/8/8 b - - 0 1');
  await page.getByTestId('tables').getByText('White wins').waitFor();
  await page.getByTestId('tables').locator('.table-move').first().click();
  await h.expectMoves(page, 1);
  await h.importText(page, h.OPERA);
  assert.equal(await page.getByTestId('tables').count(), 0);
});

test('bad text gets a sentence', async () => {
  await h.goTo(page, 'Analyze');
  await page.getByRole('button', { name: 'Import' }).click();
  for (const [text, said] of [['hello', /no game|not legal|Game/], ['8/8/8/8/8/8/8/8 w - - 0 1', /cannot occur/], ['1. e4 e5 2. Ke3', /not legal/]]) {
    await page.getByTestId('import-text').fill(text);
    await page.getByTestId('import-go').click();
    await page.waitForFunction(wanted => new RegExp(wanted).test(document.querySelector('[data-testid=notice]')?.textContent ?? ''), said.source);
  }
});

test('a game of forty moves is reviewed', async () => {
  await h.importText(page, h.LONG);
  await page.getByRole('combobox', { name: 'Effort' }).selectOption('20000');
  await page.getByTestId('review').click();
  await page.getByTestId('progress').waitFor();
  await page.getByTestId('graph').waitFor({ timeout: 120_000 });
  for (const side of ['white', 'black']) {
    assert.match(await page.getByTestId(`review-${side}`).textContent(), /\d+\.\d % accuracy/);
  }
  const marked = await page.locator('.move').evaluateAll(all => all.filter(each => /[?!]$/.test(each.textContent)).length);
  assert.ok(marked >= 1, 'some move deserves a mark');
  assert.match(await h.exportPgn(page), /\[%eval /);
  const box = await page.getByTestId('graph').boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5);
  await page.locator('.move.current').waitFor();
  const bad = page.getByTestId('review-white').getByRole('button').filter({ hasText: /[1-9]\d* (inaccuracies|mistakes|blunders)/ }).first();
  await bad.click();
  assert.match(await page.locator('.move.current').textContent(), /\?/);
});

test('a position is set up and analyzed', async () => {
  await h.goTo(page, 'Analyze');
  await page.getByRole('button', { name: 'Set up board' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('alert').waitFor();
  // A piece that was chosen is put where one clicks.
  await page.getByRole('button', { name: 'white king' }).click();
  const editor = await page.getByTestId('editor-board').boundingBox();
  await page.mouse.click(editor.x + editor.width * 0.5625, editor.y + editor.height * 0.9375);
  await page.waitForFunction(() => document.querySelector('[data-testid=editor-fen]').value.startsWith('8/8/8/8/8/8/8/4K3 '));
  await page.getByTestId('editor-fen').fill('8/8/8/4k3/8/4K3/4P3/8 b - - 0 1');
  await page.getByTestId('editor-fen').press('Enter');
  await page.getByRole('radio', { name: 'White to move' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Analyze' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  assert.equal(await page.getByTestId('export-fen').inputValue(), '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1');
});

test('every network and every search thinks', async () => {
  await h.importText(page, 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3');
  await page.keyboard.press('l');
  const networks = await page.getByLabel('Network', { exact: true }).locator('option').allTextContents();
  assert.ok(networks.length >= 7, networks.join());
  for (const network of networks) {
    await page.getByLabel('Network', { exact: true }).selectOption(network);
    await page.getByTestId('pv').first().waitFor();
  }
  for (const mode of ['mcts', 'classic', 'alphabeta']) {
    await page.getByLabel('Search', { exact: true }).selectOption(mode);
    await page.waitForTimeout(300);
    await page.getByTestId('pv').first().waitFor();
  }
});

test('the inside of networks is shown', async () => {
  await h.importText(page, h.OPERA);
  await h.goTo(page, 'Look inside');
  await page.locator('[data-testid=heat] span').nth(10).waitFor();
  for (const network of ['nectar', 'rengar', 'napoleon', 'tal', 'batu']) {
    await page.getByTestId(`mind-${network}`).click();
    await page.getByTestId('layers').waitFor();
  }
  await page.getByTestId('graph').waitFor();
  const networks = await page.locator('[data-testid^=mind-]').count();
  assert.ok(networks >= 7, `${networks} networks`);
  assert.equal(await page.locator('.legend > span').count(), networks);
  // Each network's opinion is that of the position shown.
  const opinions = () => page.locator('.legend').textContent();
  const first = await opinions();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(old => document.querySelector('.legend').textContent !== old, first);
});

test('the tree grows and is explored', async () => {
  await h.goTo(page, 'Look inside');
  await page.getByLabel('Search', { exact: true }).selectOption('mcts');
  await page.keyboard.press('l');
  await page.locator('[data-testid=icicle] g').nth(3).waitFor();
  const visits = async () => Number((await page.locator('[aria-label="Search tree"] .row .hint').textContent()).replace(/\D/g, ''));
  const before = await visits();
  await page.waitForTimeout(1200);
  assert.ok((await visits()) > before);
  await page.locator('[data-testid=icicle] g').first().click();
  await page.locator('.crumbs button').nth(1).waitFor();
  await page.getByLabel('Search', { exact: true }).selectOption('alphabeta');
  await page.getByText('Where alpha-beta looks').waitFor();
  await page.locator('.numbers td').nth(3).waitFor();
  const nodes = await visits();
  await page.waitForFunction(old => Number(document.querySelector('[aria-label="Search tree"] .row .hint').textContent.replace(/\D/g, '')) > old, nodes);
});
