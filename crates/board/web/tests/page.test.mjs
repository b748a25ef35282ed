// SPDX-License-Identifier: GPL-3.0-or-later
// The page as a whole: its size, its looks, who can read it, and runs that are watched.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as h from './harness.mjs';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

let board, browser;
before(async () => {
  board = await h.startBoard();
  browser = await h.startBrowser();
});
after(async () => {
  await browser?.close();
  await board?.stop();
});

const VIEWS = ['Play', 'Analyze', 'Look inside', 'Watch'];
const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe-core finds that is serious. */
async function findings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
}

test('the first load is below 400 kB', () => {
  const dist = join(import.meta.dirname, '../dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(file.parentPath, file.name))).length, 0);
  console.log(`first load: ${(size / 1000).toFixed(1)} kB gzipped`);
  assert.ok(size < 400_000, `${size} bytes`);
});

for (const colorScheme of ['light', 'dark']) {
  test(`every view can be read by everybody, ${colorScheme}`, async () => {
    const { page, context, faults } = await h.openPage(browser, board.url, { colorScheme });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    await h.importText(page, h.OPERA);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('l');
    for (const view of VIEWS) {
      await h.goTo(page, view);
      await page.waitForTimeout(900);
      assert.deepEqual(await findings(page), [], view);
    }
    await context.close();
    assert.deepEqual(faults, []);
  });
}

test('the theme is chosen and kept', async () => {
  const { page, context } = await h.openPage(browser, board.url);
  await page.getByRole('button', { name: 'Dark mode' }).click();
  await page.reload();
  await page.locator('.ground piece').first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await context.close();
});

test('a phone shows everything without sideways scrolling', async () => {
  const { page, context, faults } = await h.openPage(browser, board.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await h.importText(page, h.OPERA);
  await page.keyboard.press('l');
  for (const view of VIEWS) {
    await h.goTo(page, view);
    await page.waitForTimeout(600);
    const [wide, all] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= all, `${view}: ${wide} in ${all}`);
  }
  await context.close();
  assert.deepEqual(faults, []);
});

test('settings are chosen and kept', async () => {
  const { page, context } = await h.openPage(browser, board.url);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'blue' }).click();
  await page.getByRole('radio', { name: 'as a text' }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.locator('.ground piece').first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.board), 'blue');
  await h.importText(page, h.OPERA);
  assert.equal(await page.locator('.columns').count(), 0);
  await context.close();
});

test('a match is watched while it is played, and one of its games is followed', async () => {
  const { page, context, faults } = await h.openPage(browser, board.url);
  await h.goTo(page, 'Watch');
  const engine = name => ['--engine', `cmd=${h.BINARY}`, `name=${name}`, 'opt.Hash=1'];
  const match = spawn(h.BINARY, ['match', ...engine('one'), ...engine('other'), '--each', 'st=0.25', '--time-margin', '5000', '--games', '4', '--concurrency', '1', '--draw', 'movenumber=12', 'movecount=5', 'score=10000', '--out', join(board.runs, 'live')], { stdio: 'ignore' });
  const ended = new Promise(done => match.once('exit', done));
  await page.getByRole('button', { name: /live/ }).click({ timeout: 30_000 });
  await page.getByTestId('live').locator('piece').first().waitFor({ timeout: 30_000 });
  await page.getByTestId('live').getByRole('button').first().click();
  await page.getByTestId('following').waitFor();
  const moves = (await h.moves(page)).length;
  await h.expectMoves(page, moves + 2);
  assert.match(await page.getByTestId('player-white').textContent(), /one|other/);
  await h.goTo(page, 'Watch');
  const frame = page.frameLocator('[data-testid=report]');
  await frame.locator('svg').first().waitFor({ timeout: 60_000 });
  const first = await page.getByTestId('report').getAttribute('srcdoc');
  await ended;
  await page.waitForFunction(old => document.querySelector('[data-testid=report]').srcdoc !== old, first);
  // A match that is over is not live any more.
  await page.waitForFunction(() => !document.querySelector('.run .live'), null, { timeout: 6000 });
  await page.getByTestId('live').waitFor({ state: 'detached' });
  await page.getByText(/The last \d+ games/).click();
  await page.getByRole('button', { name: /one – other/ }).first().click();
  await h.expectMoves(page, 5);
  await context.close();
  assert.deepEqual(faults, []);
});

test('the games of the Lichess bot are watched', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quincunx-bot-'));
  const game = moves => JSON.stringify([{ id: 'abcd', white: 'Quincunx', black: 'somebody', fen: START, moves, clocks: [180_000, 179_000], score: '0.35' }]);
  writeFileSync(join(folder, 'live.json'), game(['e2e4']));
  // The bot holds this lock as long as it runs.
  const bot = spawn('flock', ['--close', folder, 'sleep', '30'], { stdio: 'ignore' });
  const own = await h.startBoard({ more: ['--bot', folder] });
  const { page, context, faults } = await h.openPage(browser, own.url);
  await h.goTo(page, 'Watch');
  await page.getByRole('button', { name: /Lichess bot/ }).click();
  await page.getByTestId('live').getByText('somebody').waitFor();
  await page.getByTestId('live').getByRole('button').click();
  await h.expectMoves(page, 1);
  writeFileSync(join(folder, 'live.json'), game(['e2e4', 'e7e5', 'g1f3']));
  await h.expectMoves(page, 3);
  assert.equal(await page.locator('.move.current').textContent(), 'Nf3');
  bot.kill();
  await page.getByText('The game is over.').waitFor();
  await context.close();
  await own.stop();
  rmSync(folder, { recursive: true });
  assert.deepEqual(faults, []);
});
