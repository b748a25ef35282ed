// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the pictures of the board in docs/img/board, light and dark: node scripts/board_shots.mjs
// Needs `make board` and Chromium. Prints the name of each picture.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../crates/board/web/tests/harness.mjs';

const OUT = join(import.meta.dirname, '../docs/img/board');
mkdirSync(OUT, { recursive: true });

async function play(page) {
  await h.goTo(page, 'Play');
  await page.getByRole('combobox', { name: /Clock/ }).selectOption('5+3');
  await page.getByTestId('start').click();
  for (const [i, [from, to]] of [['e2', 'e4'], ['g1', 'f3'], ['d2', 'd4']].entries()) {
    await h.clickMove(page, from, to);
    await h.expectMoves(page, 2 * i + 2);
    await page.waitForTimeout(400);
  }
}

async function analyze(page) {
  await h.importText(page, h.LONG);
  await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 31; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('l');
  await page.getByTestId('pv').nth(2).waitFor();
  await page.waitForTimeout(4000);
}

async function review(page) {
  await h.importText(page, h.OPERA);
  await page.getByTestId('review').click();
  await page.getByTestId('graph').waitFor({ timeout: 120_000 });
  await page.keyboard.press('ArrowDown');
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
}

async function heat(page) {
  await h.importText(page, h.OPERA);
  await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 18; i++) await page.keyboard.press('ArrowRight');
  await h.goTo(page, 'Look inside');
  await page.locator('[data-testid=heat] span').nth(10).waitFor();
  await page.getByTestId('layers').waitFor();
}

async function tree(page) {
  await h.importText(page, h.LONG);
  await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight');
  await h.goTo(page, 'Look inside');
  await page.getByLabel('Search', { exact: true }).selectOption('mcts');
  await page.keyboard.press('l');
  await page.locator('[data-testid=icicle] g').nth(3).waitFor();
  await page.waitForTimeout(4000);
}

async function watch(page) {
  await h.goTo(page, 'Watch');
  await page.locator('.run').first().click();
  await page.frameLocator('[data-testid=report]').locator('svg').first().waitFor({ timeout: 60_000 });
  await page.getByTestId('live').locator('piece').first().waitFor();
  await page.waitForTimeout(1500);
}

const VIEWS = { play, analyze, review, heat, tree, watch };

const board = await h.startBoard();
const browser = await h.startBrowser();
const engine = name => ['--engine', `cmd=${h.BINARY}`, `name=${name}`, 'opt.Hash=1', ...(name === 'nectar' ? ['opt.Network=nectar'] : [])];
// Games under way, which the pictures of the match show.
const match = spawn(h.BINARY, ['match', ...engine('house'), ...engine('nectar'), '--tc', '1+0.05', '--games', '2000', '--concurrency', '2', '--out', join(board.runs, 'house-nectar')], { stdio: 'ignore' });
for (const colorScheme of ['light', 'dark']) {
  for (const [name, show] of Object.entries(VIEWS)) {
    const tall = { review: 1130, heat: 900, tree: 1560 }[name] ?? 860;
    const { page, context } = await h.openPage(browser, board.url, { colorScheme, viewport: { width: 1280, height: 860 } });
    await show(page);
    await page.mouse.move(2, 2);
    await page.evaluate(() => document.activeElement?.blur());
    await page.setViewportSize({ width: 1280, height: tall });
    await page.waitForTimeout(700);
    const path = join(OUT, `${name}-${colorScheme}.png`);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path });
    console.log(path);
    await context.close();
  }
}
const { page, context } = await h.openPage(browser, board.url, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
await analyze(page);
await page.screenshot({ path: join(OUT, 'phone.png') });
await context.close();
await browser.close();
match.kill('SIGKILL');
await board.stop();
