import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { waitFor } from '../support/mailbox.js';
import { PASSWORD, aPerson } from '../support/sign-in.js';
import type { TestApp } from '../support/test-app.js';

const SEARCH = '**/api/cms/search?*';

describe('Search in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;
  let saturn: number;
  let about: number;

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    for (let n = 1; n <= 20; n += 1) {
      await app.made('post', { title: `Moon ${n}`, status: n <= 4 ? 'published' : 'draft', body: 'Craters.' });
    }
    saturn = await app.made('post', { title: 'Rings of Saturn', body: 'Ice & dust.' });
    about = await app.made('page', { title: 'About the moon', status: 'published' });
    await aPerson(service, { email: 'rob@example.com', name: 'Rob Roe', role: 'viewer', verified: true });
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(view.faults).toEqual([]);
  });

  const box = () => page.getByRole('combobox', { name: 'Search or type a command' });
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const chosen = () => page.getByRole('option', { selected: true });
  /** Opens the palette. What is typed at once goes into its box. */
  const palette = () => page.keyboard.press('Control+K');
  const marks = (within = '') => page.locator(`${within} mark`).allTextContents();

  it('finds a record while it is typed, marks why, and opens it by the keyboard', async () => {
    await page.getByRole('link', { name: 'Moon 20' }).waitFor();
    // A second after the first page, its code is there.
    await waitFor(
      () =>
        page.evaluate(
          `performance.getEntriesByType('resource').some(({ name }) => name.includes('/palette-')) || null`,
        ),
      'the code of the palette',
    );
    await palette();
    await option('New Post').waitFor();
    expect(await view.violations()).toEqual([]);

    await page.keyboard.type('satu');

    await option(/Rings of Saturn/).waitFor();
    expect(await marks('[role=option]')).toEqual(['Saturn']);
    expect(await view.violations()).toEqual([]);
    expect(await chosen().textContent()).toContain('Rings of Saturn');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/content/post/${saturn}`);
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
  });

  it('does with what is open what its buttons do', async () => {
    await page.getByRole('textbox', { name: 'Body' }).click();
    await palette();
    await page.keyboard.type('publ');
    await option('Publish').waitFor();

    await page.keyboard.press('Enter');

    await page.getByText('Published', { exact: true }).first().waitFor();
    await palette();
    await option('Unpublish').waitFor();
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'detached' });
    expect((await service.http().get(`/api/cms/post/${saturn}`).expect(200)).body.data.status).toBe('published');
  });

  it('makes a record, goes back to what was opened before, and to any place', async () => {
    await palette();
    await page.keyboard.type('new po');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/content/post/new');
    await palette();
    await page.getByRole('group', { name: 'Opened before' }).getByText('Rings of Saturn').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/content/post/${saturn}`);
    await palette();
    await page.keyboard.type('trash of po');
    await page.keyboard.press('Enter');
    await page.getByText('The trash is empty').waitFor();
    await palette();
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to, create, find a record').waitFor();
    await page.keyboard.press('Escape');
  });

  it('never shows an older answer instead of a newer one, and Enter waits for the newest', async () => {
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => (release = resolve));
    await page.route(SEARCH, async (route) => {
      if (route.request().url().includes('q=moon')) await late;
      await route.continue().catch(() => undefined);
    });
    await palette();
    const older = page.waitForRequest(/q=moon/);
    await page.keyboard.type('moon');
    await older;

    await page.keyboard.press('Control+A');
    await page.keyboard.type('saturn');
    await option(/Rings of Saturn/).waitFor();
    release();
    await page.getByText('2 choices').waitFor();
    expect(await page.getByRole('option').count()).toBe(2);

    await page.keyboard.press('Control+A');
    await page.keyboard.type('about');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/content/page/${about}`);
  });

  it('leads to all results, by type and by status, all of it in the address', async () => {
    await palette();
    await page.keyboard.type('moon');
    await option('All results for “moon”').click();
    await page.getByText('21 hits').waitFor();
    await page.getByRole('button', { name: /^Posts ?20$/ }).waitFor();
    expect(await marks('#content')).toContain('Moon');
    expect(await view.violations()).toEqual([]);

    await page.getByRole('button', { name: /^Drafts ?16$/ }).click();
    await page.getByText('1–15 of 16').waitFor();
    await page.getByRole('button', { name: 'Page 2' }).click();
    await page.getByText('16–16 of 16').waitFor();
    expect(new URL(page.url()).search).toBe('?q=moon&page=2&status=draft');
    await page.reload();
    await page.getByText('16–16 of 16').waitFor();
    await page.goBack();
    await page.getByText('1–15 of 16').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /^Pages ?1$/ }).click();
    await page.getByText('1 hit', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/content/page/${about}`);
  });

  it('asks for words, says that there is nothing, and what did not work', async () => {
    await view.goto('/admin/search');
    await page.getByText('Search everything').waitFor();
    await page.getByRole('heading', { name: 'Search', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('saturm');
    await page.getByText('Nothing found').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Search for “saturn”' }).click();
    await page.getByRole('link', { name: 'Rings of Saturn' }).waitFor();

    await page.route(SEARCH, (route) => route.fulfill({ status: 403, json: { error: 'insufficient_scope' } }));
    await page.getByRole('textbox', { name: 'Search all content' }).fill('ice');
    await page.getByText('The search did not work').waitFor();
    await page.unroute(SEARCH);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Rings of Saturn' }).waitFor();
  });

  it('works on a phone, from a button', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await view.overflow()).toEqual([]);
    await page.getByRole('button', { name: 'Search or go to' }).click();
    await box().fill('moon');
    await option(/About the moon/).waitFor();
    expect(await view.overflow()).toEqual([]);
    expect(await view.violations()).toEqual([]);
    await option(/All results/).click();
    await page.getByText('21 hits').waitFor();
    expect(await view.overflow()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('offers people who may only read what they may do', async () => {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await view.signIn('rob@example.com', PASSWORD);
    await page.getByRole('button', { name: 'Search or go to' }).click();
    await option('Search all content').waitFor();
    expect(await option(/^New|^Trash|Moon/).count()).toBe(0);
    await box().fill('moon');
    await option(/About the moon/).waitFor();
    expect(await option(/Moon \d/).count()).toBe(4);
    await option(/All results/).click();
    await page.getByText('5 hits').waitFor();
    expect(await page.getByRole('group', { name: 'Status' }).count()).toBe(0);
  });
});
