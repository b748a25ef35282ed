// SPDX-License-Identifier: GPL-3.0-or-later
import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // `npm run dev` beside `quincunx board --no-open`.
  server: { proxy: { '/socket': { target: 'ws://127.0.0.1:8484', ws: true } } },
});
