#!/usr/bin/env node
// Takes a picture of GitHub Markdown as GitHub shows it:
//   node scripts/picture.mjs INPUT.md OUTPUT.png [--dark] [--open=N]
// --open=N unfolds the first N <details>. Needs Chromium or Chrome on the PATH, or its path in CHROME_PATH.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Marked } from 'marked';

// A comment's text is about 830 px wide on github.com; the border round it is part of the picture.
const WIDTH = 880;
const TALLEST = 12_000;
const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const ALERT = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

const flags = process.argv.slice(2).filter((arg) => arg.startsWith('--'));
const [input, output] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const dark = flags.includes('--dark');
const open = flags.find((flag) => /^--open=\d+$/.test(flag));
const unfolded = open === undefined ? 0 : Number(open.slice('--open='.length));
if (output === undefined || flags.some((flag) => flag !== '--dark' && flag !== open)) {
  fail('usage: node scripts/picture.mjs INPUT.md OUTPUT.png [--dark] [--open=N]');
}

const profile = mkdtempSync(join(tmpdir(), 'picture-'));
try {
  const chrome = findChrome();
  const page = join(profile, 'page.html');
  writeFileSync(page, html(readFileSync(input, 'utf8')));
  const height = measure(chrome, page);
  mkdirSync(dirname(resolve(output)), { recursive: true });
  run(chrome, [`--screenshot=${resolve(output)}`, `--window-size=${WIDTH},${height}`], page);
  console.log(`${output}: ${WIDTH} x ${height}, ${Math.ceil(statSync(output).size / 1024)} KiB`);
} finally {
  rmSync(profile, { recursive: true, force: true });
}

function html(markdown) {
  const require = createRequire(import.meta.url);
  const theme = dark ? 'dark' : 'light';
  const css = readFileSync(
    require.resolve(`github-markdown-css/github-markdown-${theme}.css`),
    'utf8',
  );
  const body = alerts(new Marked({ gfm: true }).parse(markdown));
  let left = unfolded;
  const shown = body.replace(/<details>/g, (tag) => {
    left -= 1;
    return left >= 0 ? '<details open>' : tag;
  });
  const [ground, border] = dark ? ['#0d1117', '#30363d'] : ['#ffffff', '#d1d9e0'];
  return `<!doctype html><meta charset="utf-8"><style>${css}
    html { background: ${ground}; }
    body { margin: 0; padding: 8px; }
    .markdown-body { border: 1px solid ${border}; border-radius: 6px; padding: 16px; font-size: 14px;
      font-family: "Noto Sans", "Liberation Sans", "Noto Sans CJK SC", "Noto Color Emoji", sans-serif; }
    .markdown-body code, .markdown-body pre { font-family: "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; }
  </style><body><article class="markdown-body">${shown}</article>`;
}

/** GitHub's callouts, which plain GFM does not know. */
function alerts(body) {
  return body.replace(/<blockquote>\s*<p>([\s\S]*?)<\/p>\s*<\/blockquote>/g, (whole, text) => {
    const kind = ALERT.exec(text)?.[1];
    if (kind === undefined) return whole;
    const title = kind.charAt(0) + kind.slice(1).toLowerCase();
    return `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}"><p class="markdown-alert-title">${title}</p><p>${text.replace(ALERT, '')}</p></div>`;
  });
}

/** Height of the page, asked of the browser itself. */
function measure(chrome, page) {
  const probe = `${page}.probe.html`;
  const script =
    '<script>addEventListener("load", () => { document.title = "h" + (document.querySelector("article").getBoundingClientRect().height + 16); });</script>';
  writeFileSync(probe, readFileSync(page, 'utf8') + script);
  const dom = run(chrome, ['--dump-dom', `--window-size=${WIDTH},1000`], probe);
  const height = Number(/<title>h([\d.]+)<\/title>/.exec(dom)?.[1] ?? 1000);
  return Math.min(TALLEST, Math.ceil(height));
}

function run(chrome, args, page) {
  const fixed = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--hide-scrollbars',
    `--user-data-dir=${join(profile, 'profile')}`,
  ];
  const done = spawnSync(chrome, [...fixed, ...args, pathToFileURL(page).href], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0) fail(`${chrome} failed: ${done.error?.message ?? done.stderr}`);
  return done.stdout;
}

function findChrome() {
  const asked = process.env.CHROME_PATH;
  if (asked !== undefined && asked !== '') {
    if (!isExecutable(asked)) fail(`CHROME_PATH names ${asked}, which is not an executable file.`);
    return asked;
  }
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of BROWSERS) if (isExecutable(join(dir, name))) return join(dir, name);
  }
  return fail(
    'No Chromium on the PATH. Install it (Debian: apt-get install chromium), or set CHROME_PATH.',
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
