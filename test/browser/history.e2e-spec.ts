import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { copyRequests } from '../support/copy-requests.js';
import type { TestApp } from '../support/test-app.js';

describe('The history of a record in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;
  let path: string;

  const { save } = copyRequests(() => service);

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    const first = { title: 'The ferry', body: 'It left at six.', terms: { tag: ['Sea'] } };
    path = `post/${await app.made('post', first)}`;
    const put = (change: object) => service.http().put(`/api/cms/${path}`).send(change).expect(200);
    await put({ title: 'The first ferry', body: 'It left at seven.' });
    await put({ status: 'published', terms: { tag: ['Sea', 'Travel'] } });
    await app.signIn(`/admin/content/${path}`);
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const changed = (part: string) => page.getByRole('region', { name: part });
  const words = async (part: string) => {
    await changed(part).locator('ins').first().waitFor();
    const textsIn = (mark: string) => changed(part).locator(mark).allTextContents();
    return { gone: await textsIn('del'), come: await textsIn('ins') };
  };
  const present = async (): Promise<Record<string, unknown>> =>
    (await service.http().get(`/api/cms/${path}`).expect(200)).body.data;

  it('shows by words what each version has changed, with the one before and any other', async () => {
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect((await words('tag')).come.join('')).toContain('Travel');

    await page.keyboard.press('[');
    await changed('Body').waitFor();
    expect(await words('Body')).toEqual({ gone: ['six'], come: ['seven'] });
    expect((await words('Title')).come.join('')).toContain('first');
    expect(await view.violations()).toEqual([]);
    await page.keyboard.press('F7');
    await page.keyboard.press('F7');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Body');

    await page.getByLabel('Compared with').selectOption('the present version');
    await changed('Status').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await view.overflow()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('brings chosen parts of a version back, and takes that back', async () => {
    await page.getByLabel('Compared with').selectOption('the version before');
    await page.getByRole('button', { name: /^Created/ }).click();
    await page.getByRole('button', { name: 'Bring this back …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This is what changes.').waitFor();
    expect(await view.violations()).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'Title' }).uncheck();

    await dialog.getByRole('button', { name: 'Bring 2 parts back' }).click();

    await page.getByText('It is as it was then.').waitFor();
    expect(await present()).toMatchObject({ title: 'The first ferry', body: 'It left at six.', status: 'published' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is as it was before.').waitFor();
    expect(await present()).toMatchObject({ title: 'The first ferry', body: 'It left at seven.' });
    await page
      .getByRole('button', { name: /^Rolled back/ })
      .first()
      .waitFor();
  });

  it('shows what is written and not public yet', async () => {
    await save(path, { title: 'The last ferry' });
    await page.reload();

    await page.getByRole('button', { name: /^Not public yet/ }).click();

    await changed('Title').waitFor();
    expect(await words('Title')).toEqual({ gone: ['first'], come: ['last'] });
  });
});
