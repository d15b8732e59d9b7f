/**
 * Takes pictures of the console on a fresh demo, in light and dark: `node scripts/console-pictures.mjs [folder] [width]`.
 * Without a folder those of README.md, in docs/pictures; with one, all screens. It needs the build of `npm run demo`, and
 * Chromium.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [folder = 'docs/pictures', width = '1440'] = process.argv.slice(2);
const PORT = '3950';
const DEMO = resolve('dist/src/demo.js');

/** Screens by their addresses below `/admin`. */
const OUTSIDE = { 'sign-in': 'login' };
const README = { editor: 'content/post/13' };
const INSIDE = {
  ...README,
  list: 'content/post',
  search: 'content/post?q=moon',
  'no-hits': 'content/post?q=zzzz',
  'no-records': 'content/page?status=archived',
  person: 'content/person/1',
  new: 'content/post/new',
  lost: 'nowhere',
};

const data = mkdtempSync(join(tmpdir(), 'cms-pictures-'));
const demo = spawn(process.execPath, [DEMO], {
  env: {
    PATH: process.env.PATH,
    PORT,
    DATA_DIR: data,
    LOG_LEVEL: 'warn',
    MAIL_FROM: 'Linden Hill <no-reply@example.com>',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const link = await new Promise((found) => {
  let text = '';
  demo.stdout.on('data', (chunk) => {
    text += chunk;
    const [address] = /\S+\/admin\/login#once=\S+/.exec(text) ?? [];
    if (address) found(address);
  });
});

mkdirSync(folder, { recursive: true });
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({
  viewport: { width: Number(width), height: Number(width) < 600 ? 844 : 900 },
  reducedMotion: 'reduce',
});

async function take(screens) {
  for (const [name, path] of Object.entries(screens)) {
    await page.goto(new URL(path, link).href);
    await page.waitForLoadState('networkidle');
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await page.screenshot({ path: join(folder, `console-${name}-${colorScheme}.png`) });
    }
  }
}

const isAll = process.argv.length > 2;
if (isAll) await take(OUTSIDE);
await page.goto(link);
await page.getByRole('table').waitFor();
await take(isAll ? INSIDE : README);
await browser.close();
demo.kill();
rmSync(data, { recursive: true, force: true });
