/**
 * Takes pictures of the console on a fresh demo, in light and dark: `node scripts/console-pictures.mjs [folder] [width]`.
 * Without a folder those of README.md, in docs/pictures. It needs the build of `npm run demo`, and Chromium.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [folder = 'docs/pictures', width = '1440', ...more] = process.argv.slice(2);
const port = 3_900 + Math.floor(Math.random() * 90);
const origin = `http://localhost:${port}`;
const data = mkdtempSync(join(tmpdir(), 'cms-pictures-'));

/** Screens by their addresses; what is behind the name is done there first. */
const ALL = {
  'sign-in': { path: 'login', isOpen: true },
  list: { path: 'content/post' },
  search: { path: 'content/post?q=moon' },
  'no-hits': { path: 'content/post?q=zzzz' },
  'empty-status': { path: 'content/page?status=archived' },
  editor: { path: 'content/post/13' },
  person: { path: 'content/person/1' },
  new: { path: 'content/post/new' },
  lost: { path: 'nowhere' },
};
const shown = more.length > 0 ? more : ['list', 'editor'];

function started() {
  const demo = spawn(process.execPath, [resolve('dist/src/demo.js')], {
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((found) => {
    let text = '';
    demo.stdout.on('data', (chunk) => {
      text += chunk;
      const link = /\S+\/admin\/login#once=\S+/.exec(text)?.[0];
      if (link) found({ demo, link });
    });
  });
}

mkdirSync(folder, { recursive: true });
const { demo, link } = await started();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
});
const context = await browser.newContext({ viewport: { width: Number(width), height: Number(width) < 600 ? 844 : 900 } });
const page = await context.newPage();
page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console.error(message.text()));
page.on('pageerror', (error) => console.error(error));
page.on('response', (r) => r.status() >= 400 && console.error(r.status(), r.url()));

async function take(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `console-${name}-${colorScheme}.png`) });
  }
}

async function show(name) {
  await page.goto(`${origin}/admin/${ALL[name].path}`);
  await page.waitForLoadState('networkidle');
  await take(name);
}

for (const name of shown.filter((one) => ALL[one].isOpen)) await show(name);
await page.goto(link);
await page.getByRole('table').waitFor({ timeout: 8000 }).catch(async () => { await page.screenshot({ path: '/dev/shm/hC/fail.png' }); console.error(page.url()); });
for (const name of shown.filter((one) => !ALL[one].isOpen)) await show(name);
await browser.close();
demo.kill();
rmSync(data, { recursive: true, force: true });
