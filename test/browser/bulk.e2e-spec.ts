import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import type { TestApp } from '../support/test-app.js';

describe('Many records in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    for (let n = 1; n <= 40; n += 1) await app.made('post', { title: `Post ${n}` });
    const fields = [{ name: 'summary', type: 'string', required: true }];
    await service.http().post('/api/admin/types').send({ name: 'essay', label: 'Essay', fields }).expect(201);
    for (const body of [{ title: 'Whole', summary: 'All' }, { title: 'Unfinished' }]) {
      await app.made('essay', body);
    }
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const countOf = async (status: string): Promise<number> =>
    (await service.http().get(`/api/cms/post?status=${status}&per_page=1`).expect(200)).body.meta.total;

  it('are selected on several pages, published together, and taken back', async () => {
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await press('Page 2');
    await page.getByText('16–30 of 40').waitFor();
    await page.getByRole('checkbox', { name: 'Select Post 20' }).check();
    await page.getByText('16 selected').waitFor();
    expect(await view.violations()).toEqual([]);

    await press('Publish');

    await page.getByText('16 records are published').waitFor();
    expect(await countOf('published')).toBe(16);
    await press('Undo');
    await page.getByText('16 records are as before').waitFor();
    expect(await countOf('published')).toBe(0);
  });

  it('are all selected at once, and more than a few are asked about', async () => {
    await view.goto('/admin/content/post');
    await page
      .getByRole('checkbox', { name: /^Select Post/ })
      .first()
      .check();
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/api\/cms\/post\?.*per_page=100/, async (route) => {
      await late;
      await route.continue();
    });
    await press('Select all 40');
    expect(await page.getByRole('button', { name: 'Move to trash', exact: true }).isDisabled()).toBe(true);
    release();
    await press('Move to trash');
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Move to trash' });
    expect(await confirm.isDisabled()).toBe(true);
    expect(await view.violations()).toEqual([]);
    await dialog.getByLabel('Number of records').fill('40');

    await confirm.click();

    await page.getByText('40 records are in the trash').waitFor();
    await page.getByText('No posts yet').waitFor();
    await press('Undo');
    await page.getByText('40 records are restored').waitFor();
    await page.getByText('1–15 of 40').waitFor();
  });

  it('get terms and lose them, and an undo leaves those alone that had them before', async () => {
    const { body } = await service.http().get('/api/cms/post?sort=id&per_page=1').expect(200);
    const first = `/api/cms/post/${body.data[0].id}`;
    await service
      .http()
      .patch(first)
      .send({ terms: { tag: ['Moon'] } })
      .expect(200);
    const withMoon = async (): Promise<number> =>
      (await service.http().get('/api/cms/taxonomy/tag?q=moon').expect(200)).body.data[0].count;
    const dialog = page.getByRole('dialog');
    await view.goto('/admin/content/post');
    await page
      .getByRole('checkbox', { name: /^Select Post/ })
      .first()
      .check();
    await press('Select all 40');
    await press('Add terms');
    await dialog.getByText('The records keep the terms that they have.').waitFor();
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('moon');
    await view.pick('Moon');
    await dialog.getByRole('list', { name: 'Tag' }).getByText('Moon').waitFor();
    expect(await view.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add terms' }).click();
    await dialog.getByLabel('Number of records').fill('40');
    await dialog.getByRole('button', { name: 'Add terms' }).click();

    await page.getByText('Terms added to 39 records; 1 had nothing to change').waitFor();
    expect(await withMoon()).toBe(40);
    await press('Undo');
    await page.getByText('39 records are as before').waitFor();
    expect(await withMoon()).toBe(1);

    await page.setViewportSize({ width: 390, height: 844 });
    await view.goto('/admin/content/post?sort=title');
    await page.getByRole('checkbox', { name: 'Select Post 1', exact: true }).check();
    expect(await view.overflow()).toEqual([]);
    await press('Remove terms');
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('moo');
    await view.pick('Moon');
    expect(await page.getByRole('option', { name: /Create/ }).count()).toBe(0);
    expect(await view.overflow()).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove terms' }).click();
    await page.getByText('Terms removed from 1 record').waitFor();
    expect(await withMoon()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('come back out of the trash, or are deleted for good', async () => {
    const { body } = await service.http().get('/api/cms/post?sort=id&per_page=3').expect(200);
    for (const { id } of body.data) await service.http().delete(`/api/cms/post/${id}`).expect(204);
    await view.goto('/admin/content/post');
    await press('Trash');
    await page.getByText('1–3 of 3').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select Post 1', exact: true }).check();
    await press('Restore');
    await page.getByText('1 record is restored').waitFor();
    await page.getByText('1–2 of 2').waitFor();

    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await press('Delete for good');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number of records').fill('2');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();

    await page.getByText('The trash is empty').waitFor();
    expect((await service.http().get('/api/cms/post/-/trash').expect(200)).body.meta.total).toBe(0);
    expect((await service.http().get('/api/cms/post?per_page=1').expect(200)).body.meta.total).toBe(38);
  });

  it('with which something does not work are listed with the reason, and stay selected', async () => {
    await view.goto('/admin/content/essay');
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();

    await press('Publish');

    const report = page.getByRole('alert').filter({ hasText: 'It did not work with 1 record' });
    await report.getByRole('link', { name: 'Unfinished' }).waitFor();
    await page.getByText('1 record is published').waitFor();
    await page.getByText('1 selected').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await view.overflow()).toEqual([]);
    await report.getByRole('link', { name: 'Unfinished' }).click();
    await page.waitForURL(/\/content\/essay\/\d+$/);
  });
});
