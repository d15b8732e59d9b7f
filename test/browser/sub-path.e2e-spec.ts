import { FreshChromium } from '../support/chromium.js';
import { sendLink, tokenOf } from '../support/mail-sign-in.js';
import { Mailbox } from '../support/mailbox.js';
import { aPerson } from '../support/sign-in.js';
import { SubPathGateway } from '../support/sub-path-gateway.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Telephone and desk, by day and by night. */
const VIEWS = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

describe('Below a path that a gateway strips', () => {
  let service: TestApp;
  let mailbox: Mailbox;
  let gateway: SubPathGateway;
  let browser: FreshChromium;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off' });
    gateway = await SubPathGateway.start(service.app.getHttpServer());
    browser = await FreshChromium.start();
  });

  beforeEach(() => {
    gateway.outside.length = 0;
  });

  afterAll(async () => {
    await browser.close();
    await gateway.stop();
    await service.close();
    await mailbox.close();
  });

  /** Paths outside of the base path, but the icon that browsers look for by themselves. */
  const outside = () => gateway.outside.filter((path) => path !== '/favicon.ico');

  async function open(path: string, width = 1440, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.context.newPage();
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await page.goto(gateway.address + path);
    return page;
  }

  it.each(VIEWS)('the documentation shows routes and two examples at first sight: %d, %s', async (width, scheme) => {
    for (const path of ['/api/docs', '/api/docs/']) {
      const page = await open(path, width, scheme);
      const route = page.locator('.opblock').first();
      await route.waitFor();

      const box = await route.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? Infinity)).toBeLessThan(844);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const examples = await page.locator('.examples code').allTextContents();
      expect(examples).toEqual([
        expect.stringContaining(`curl '${gateway.address}/api/cms/p`),
        expect.stringContaining(`'${gateway.address}/api/cms/p`),
      ]);
      await page.close();
    }
    expect(outside()).toEqual([]);
  });

  it('an operation is tried where the page came from, and shown for curl and for JavaScript', async () => {
    const page = await open('/api/docs');
    const route = page.locator('.opblock', { hasText: '/health/live' });
    await route.locator('.opblock-summary-control').click();
    await route.getByRole('button', { name: 'Try it out' }).click();
    await route.getByRole('button', { name: 'Execute' }).click();

    await route.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    await route.getByText('JavaScript', { exact: true }).click();
    expect(await route.locator('.request-snippets').textContent()).toContain(
      `fetch('${gateway.address}/health/live', {`,
    );
    expect(outside()).toEqual([]);
    await page.close();
  });

  it('each operation of the document is in the page once its group is open, for the search of the browser', async () => {
    const document = await fetch(`${gateway.address}/api/openapi.json`);
    const { paths } = (await document.json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => METHODS.includes(method))
        .map((method) => `${method} ${path}`),
    );
    const page = await open('/api/docs');
    const routes = page.locator('.opblock');
    await routes.first().waitFor();
    const folded = page.locator('.opblock-tag', { hasText: 'Records: page' });
    await folded.click();
    await page.locator('.opblock[id*="listPage"]').waitFor();

    const shown = await routes.evaluateAll((blocks) =>
      blocks.map((block) => {
        const text = (part: string) => block.querySelector(`.opblock-summary-${part}`)?.textContent;
        return `${text('method')?.toLowerCase()} ${text('path')?.replaceAll('\u200b', '')}`;
      }),
    );
    expect(shown.sort()).toEqual(operations.sort());
    expect(operations.length).toBeGreaterThan(100);

    const tag = page.locator('.opblock-tag-section', { hasText: '/health/live' });
    await tag.locator('.opblock-tag').click();
    await tag.locator('.opblock').first().waitFor({ state: 'detached' });
    await page.close();
  });

  it('operations are searched by words of their method, path, name and summary, in folded groups too', async () => {
    const page = await open('/api/docs');
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    await search.fill('revisions PAGE diff');

    await page.locator('.opblock', { hasText: '/api/cms/page/{id}/revisions/{ts}/diff' }).waitFor();
    await page.getByText('1 found').waitFor();
    expect(await page.locator('.opblock').count()).toBe(1);
    await search.fill('');
    await page.locator('.opblock', { hasText: '/api/auth/refresh' }).waitFor();
    await page.close();
  });

  it('the address of an operation leads to it', async () => {
    const page = await open('/api/docs#/Health/getLiveness');
    const route = page.locator('.opblock.is-open', { hasText: '/health/live' });
    await route.waitFor();
    const box = await route.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(844);
    await page.close();
  });

  it.each(['/', '/api', '/api/'])('%s leads to the documentation', async (path) => {
    const page = await open(path, 390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

    await page.getByRole('link', { name: 'Documentation' }).click();

    await page.locator('.opblock').first().waitFor();
    expect(page.url()).toBe(`${gateway.address}/api/docs`);
    await page.close();
  });

  it('the form behind a magic link signs in', async () => {
    const { email } = await aPerson(service);
    await sendLink(service, email);
    const page = await open(`/api/auth/magic-link/verify?token=${tokenOf(await mailbox.next(email))}`);

    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(outside()).toEqual([]);
    await page.close();
  });
});
