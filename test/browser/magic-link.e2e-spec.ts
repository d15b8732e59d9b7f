import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { FreshChromium } from '../support/chromium.js';
import { sendLink, tokenOf } from '../support/mail-sign-in.js';
import { Mailbox } from '../support/mailbox.js';
import { aPerson } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('A magic link in a real browser', () => {
  let service: TestApp;
  let mailbox: Mailbox;
  let browser: FreshChromium;
  let consolePage: Server;
  let target: string;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    consolePage = createServer((_, response) => response.end('The console')).listen(0, '127.0.0.1');
    await new Promise((resolve) => consolePage.once('listening', resolve));
    target = `http://127.0.0.1:${portOf(consolePage)}/signed-in`;
    service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off', REDIRECT_ALLOW_LIST: target });
    browser = await FreshChromium.start();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
    await mailbox.close();
    consolePage.close();
  });

  const addressOf = (token: string): string =>
    `http://localhost:${portOf(service.app.getHttpServer())}/api/auth/magic-link/verify?token=${token}`;

  async function mailed(options: object = {}): Promise<string> {
    const { email } = await aPerson(service);
    await sendLink(service, email, options);
    return tokenOf(await mailbox.next(email));
  }

  it.each(['light', 'dark'] as const)('shows one button that fits a telephone, in %s', async (colorScheme) => {
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 375, height: 667 });
    await page.emulateMedia({ colorScheme });
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));

    await page.goto(addressOf(await mailed()));

    const button = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(44);
    expect((button?.x ?? 0) + (button?.width ?? 999)).toBeLessThanOrEqual(375);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    const dark = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(dark).toBe(colorScheme === 'dark' ? 'rgb(20, 22, 26)' : 'rgb(243, 244, 246)');
    expect(faults.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
    await page.close();
  });

  it('signs in by the button, and keeps the session in a cookie that refreshes', async () => {
    const page = await browser.context.newPage();
    await page.goto(addressOf(await mailed()));

    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect((await browser.context.cookies()).map(({ name, httpOnly }) => [name, httpOnly]).sort()).toEqual([
      ['cms_device', true],
      ['cms_refresh', true],
    ]);
    await page.close();
  });

  it('leads by the button to where the sign-in was begun, with a code', async () => {
    const page = await browser.context.newPage();
    await page.goto(addressOf(await mailed({ redirect_to: target })));

    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.waitForURL(`${target}?code=*`);
    expect(await page.textContent('body')).toBe('The console');
    await page.close();
  });
});
