// SPDX-License-Identifier: GPL-3.0-or-later
// A board with a browser before it. QUINCUNX names the binary.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const BINARY = resolve(process.env.QUINCUNX ?? join(import.meta.dirname, '../../../../quincunx'));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Starts a server on a free port; the result is where it is, and how to end it. */
export async function startBoard({ threads = 2, more = [] } = {}) {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run \`make board\`, or set QUINCUNX`);
  const folder = mkdtempSync(join(tmpdir(), 'quincunx-board-'));
  const runs = join(folder, 'runs');
  mkdirSync(runs);
  const page = join(import.meta.dirname, '../dist');
  const args = ['board', '--no-open', '--port', '0', '--threads', threads, '--hash', '128', '--games', join(folder, 'games'), '--runs', runs, '--page', page, ...more];
  const child = spawn(BINARY, args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', data => {
      text += data;
      const match = /http:\/\/\S+/.exec(text);
      if (match) found(match[0]);
    });
    child.once('exit', code => failed(new Error(`the board has ended with ${code}: ${text}`)));
  });
  const stop = async () => {
    child.removeAllListeners('exit');
    const ended = new Promise(done => child.once('exit', done));
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, runs, stop };
}

export function startBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A page of its own; `faults` gathers what should not happen: errors, and requests to elsewhere. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', error => faults.push(String(error)));
  page.on('request', request => {
    const at = request.url();
    if (!at.startsWith(url) && !at.startsWith(url.replace('http', 'ws')) && !/^(data|blob|about):/.test(at)) faults.push(`request to ${at}`);
  });
  await page.goto(url);
  await page.locator('.ground piece').first().waitFor();
  return { page, context, faults };
}

export async function goTo(page, view) {
  await page.getByRole('navigation').getByRole('button', { name: view }).click();
  // The next view has laid itself out.
  await page.waitForTimeout(200);
}

/** Where a square is on the screen. */
export async function square(page, name, isTurned = false) {
  const box = await page.locator('.board-box cg-board').boundingBox();
  const side = box.width / 8;
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  const [x, y] = isTurned ? [7 - file, rank] : [file, 7 - rank];
  return [box.x + (x + 0.5) * side, box.y + (y + 0.5) * side];
}

export async function clickMove(page, from, to, isTurned = false) {
  await page.mouse.click(...(await square(page, from, isTurned)));
  await page.mouse.click(...(await square(page, to, isTurned)));
  // A frame or two, so that the move stands in the list.
  await page.waitForTimeout(60);
}

export async function dragMove(page, from, to) {
  const [start, end] = [await square(page, from), await square(page, to)];
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 4 });
  await page.mouse.move(...end, { steps: 4 });
  await page.mouse.up();
}

/** Opens a PGN or a FEN by the dialog. */
export async function importText(page, text) {
  await goTo(page, 'Analyze');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByTestId('import-text').fill(text);
  await page.getByTestId('import-go').click();
  await page.getByTestId('import-text').waitFor({ state: 'detached' });
}

/** The moves as the page shows them. */
export async function moves(page) {
  return (await page.locator('.moves .move').allTextContents()).map(text => text.trim());
}

export async function exportPgn(page) {
  await goTo(page, 'Analyze');
  await page.getByRole('button', { name: 'Export' }).click();
  const pgn = await page.getByTestId('export-pgn').inputValue();
  await page.keyboard.press('Escape');
  return pgn;
}

export async function expectMoves(page, count) {
  await page.waitForFunction(wanted => document.querySelectorAll('.moves .move').length >= wanted, count, { timeout: 20_000 });
}

export const OPERA = `[Event "Paris"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Date "1858.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 (3... exd4 4. Nxd4 Nf6 {solid} (4... g6)) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0`;

/** Forty moves, some of them weak. */
export const LONG = `[White "Anna"]
[Black "Ben"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5
13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21. Nc4 Nxc4 22. Bxc4 Nb6
23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 31. axb4 cxb4
32. Ra5 Nd5 33. f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Rxg6 Bxg6 38. Ke1 Nf4 39. g3 Nxh3 40. Kd2 Kb5 1/2-1/2`;
