// SPDX-License-Identifier: GPL-3.0-or-later
// Opens pages of the built book in headless Chromium: light, dark, and as wide as a phone. Prints what axe-core finds,
// and takes pictures for a look. Fails at a serious finding, at an error of the console, or at a page wider than its window.
//
// usage: NODE_MODULES=crates/board/web/node_modules node scripts/docs/book_test.mjs BOOK [PICTURES]
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const modules = resolve(process.env.NODE_MODULES ?? "crates/board/web/node_modules");
const require = createRequire(join(modules, "_"));
const { chromium } = require("playwright-core");
const axe = readFileSync(join(modules, "axe-core/axe.min.js"), "utf8");

const book = resolve(process.argv[2] ?? "target/book/html");
const pictures = process.argv[3];
if (pictures) mkdirSync(pictures, { recursive: true });
const pages = ["index", "start/play", "guide/new-architecture", "concepts/five-ideas", "reference/errors", "lab/index",
  "project/contributing"];
const looks = [
  { name: "light", theme: "light", viewport: { width: 1280, height: 900 } },
  { name: "dark", theme: "navy", viewport: { width: 1280, height: 900 } },
  { name: "phone", theme: "light", viewport: { width: 390, height: 844 } },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
let faults = 0;
const fault = (text) => { faults += 1; console.error(`error: ${text}`); };
for (const { name, theme, viewport } of looks) {
  const context = await browser.newContext({ viewport });
  await context.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
  const page = await context.newPage();
  page.on("pageerror", (error) => fault(`${page.url()} (${name}): ${error.message}`));
  for (const path of pages) {
    await page.goto(`file://${join(book, path)}.html`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > viewport.width + 1) fault(`${path} (${name}) is ${width} pixels wide, the window ${viewport.width}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
    for (const { id, impact, nodes } of violations) {
      const text = `${path} (${name}): ${impact} ${id}: ${nodes.length} times, first ${nodes[0].html.slice(0, 120).replaceAll("\n", " ")}`;
      if (["serious", "critical"].includes(impact)) fault(text); else console.log(`note: ${text}`);
    }
    if (pictures) await page.screenshot({ path: join(pictures, `${path.replace("/", "-")}-${name}.png`) });
  }
  await context.close();
}
await browser.close();
console.log(`book: ${pages.length} pages in ${looks.length} looks, ${faults} faults`);
process.exit(faults ? 1 : 0);
