import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Settings } from '../../src/config/settings.js';
import { FreshChromium } from '../support/chromium.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { sendLink, tokenOf, verifyLink } from '../support/mail-sign-in.js';
import { Mailbox } from '../support/mailbox.js';
import { aPerson } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Desk and telephone, by day and by night. */
const VIEWS = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const;

describe('What a person meets in a browser when a sign-in fails', () => {
  let provider: MockIdentityProvider;
  let mailbox: Mailbox;
  let service: TestApp;
  let browser: FreshChromium;

  beforeAll(async () => {
    [provider, mailbox] = [await MockIdentityProvider.start(), await Mailbox.open()];
    const environment = { ...provider.environment, ...mailbox.environment, RATE_LIMITS: 'off' };
    service = await startTestApp({ ...environment, AUTH_METHODS: 'password,otp,magic-link,google,apple' });
    service.app.get(Settings).publicUrl = at('');
    browser = await FreshChromium.start();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
    await provider.stop();
    await mailbox.close();
  });

  const at = (path: string) => `http://localhost:${(service.app.getHttpServer().address() as AddressInfo).port}${path}`;

  /** A link that was followed before. */
  async function usedLink(): Promise<string> {
    const { email } = await aPerson(service);
    await sendLink(service, email);
    const token = tokenOf(await mailbox.next(email));
    await verifyLink(service, token);
    return `/api/auth/magic-link/verify?token=${token}`;
  }

  async function resetLink(): Promise<string> {
    const { email } = await aPerson(service);
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    return `/api/auth/password/reset?token=${tokenOf(await mailbox.next(email))}`;
  }

  /** The ways there, each to its sentence and the name of its link. */
  const FAILURES: readonly (readonly [string, (page: Page) => Promise<unknown>, RegExp, string])[] = [
    [
      'a forged state',
      (page) => page.goto(at('/api/auth/google/callback?code=x&state=y')),
      /another tab/,
      'start page',
    ],
    ['a provider that is not set up', (page) => page.goto(at('/api/auth/oidc/redirect')), /not set up/, 'start page'],
    ['a mangled link', (page) => page.goto(at('/api/auth/magic-link/verify?=')), /not complete/, 'start page'],
    ['a link that was used', async (page) => page.goto(at(await usedLink())), /used before/, 'start page'],
    [
      'a password that is too easy',
      async (page) => {
        await page.goto(at(await resetLink()));
        await page.getByLabel('New password').fill('password1234');
        await page.getByRole('button', { name: 'Save' }).click();
      },
      /guessed/,
      'Try again',
    ],
  ];

  it.each(
    FAILURES.flatMap(([name, way, sentence, link]) =>
      VIEWS.map((view) => [name, ...view, way, sentence, link] as const),
    ),
  )(
    'is one sentence and one link that leads on: %s (%d, %s)',
    // eslint-disable-next-line @typescript-eslint/max-params -- a row of the table
    async (name, width, colorScheme, way, sentence, link) => {
      const page = await browser.context.newPage();
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });

      await way(page);

      const alert = page.getByRole('alert');
      expect(await alert.textContent()).toMatch(sentence);
      expect(await page.locator('.service').textContent()).toMatch(/^localhost:\d+$/);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      if (process.env.SHOTS) {
        await page.screenshot({
          path: `${process.env.SHOTS}/${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`,
        });
      }
      expect(await page.getByRole('link').count()).toBe(1);
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { name: /Content API|Choose a new password/ }).waitFor();
      await page.close();
    },
  );
});
