// SPDX-License-Identifier: GPL-3.0-or-later
// From a key press to the first arrow of the new position, on this machine: node scripts/board_latency.mjs
// Needs `make board` and Chromium. Prints the median, the 95th percentile and the worst, in milliseconds.

import * as h from '../crates/board/web/tests/harness.mjs';

const board = await h.startBoard();
const browser = await h.startBrowser();
const { page } = await h.openPage(browser, board.url);
const times = [];
for (const game of [h.OPERA, h.LONG]) {
  await h.importText(page, game);
  await page.keyboard.press('ArrowUp');
  if (game === h.OPERA) await page.keyboard.press('l');
  await page.getByTestId('pv').first().waitFor();
  for (let i = 0; i < 33; i++) {
    times.push(await page.evaluate(() => new Promise(done => {
      const before = document.querySelector('.move.current')?.textContent;
      const count = () => document.querySelectorAll('.board-box svg.cg-shapes line').length;
      const start = performance.now();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      let isGone = false;
      const look = () => {
        const isMoved = document.querySelector('.move.current')?.textContent !== before;
        isGone ||= count() === 0;
        if (isMoved && isGone && count() > 0) done(performance.now() - start);
        else if (performance.now() - start > 5000) done(5000);
        else requestAnimationFrame(look);
      };
      look();
    })));
    await page.waitForTimeout(250);
  }
}
times.sort((a, b) => a - b);
const at = share => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
console.log(`${times.length} moves: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, worst ${at(1)} ms`);
await browser.close();
await board.stop();
