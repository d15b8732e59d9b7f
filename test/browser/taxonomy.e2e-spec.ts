import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { PASSWORD, aPerson } from '../support/sign-in.js';
import type { TestApp } from '../support/test-app.js';

describe('The terms of a taxonomy in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;

  const term = async (name: string, parent: number | null = null): Promise<number> => {
    const body = { type: 'category', name, parent_id: parent };
    return (await service.http().post('/api/cms/taxonomy').send(body).expect(201)).body.data.id as number;
  };

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    const news = await term('News');
    const europe = await term('Europe', news);
    await term('Rome', europe);
    await term('World', news);
    const space = await term('Space');
    for (let n = 1; n <= 3; n += 1) await app.made('post', { title: `Post ${n}`, terms: { category: [space] } });
    await app.made('post', { title: 'Other', terms: { category: [europe], tag: ['Night', 'Sea'] } });
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const row = (name: string) => page.getByRole('row', { name });
  const dialog = () => page.getByRole('dialog');
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('It is as it was before.').last().waitFor();
  };
  const act = async (name: string, action: string) => {
    await row(name)
      .getByRole('button', { name: `Actions of ${name}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const pick = async (name: string) => {
    // The picker finds a name by any part of it.
    await dialog().getByRole('combobox').fill(name.slice(1));
    await view.pick(name);
  };
  const paths = async (taxonomy = 'category'): Promise<string[]> => {
    const { body } = await service.http().get(`/api/cms/taxonomy/${taxonomy}`).expect(200);
    return body.data.map(({ path }: { readonly path: string }) => path);
  };

  it('are a tree that is walked by keys, with the way to the records of each', async () => {
    await page.getByRole('link', { name: 'Category' }).click();
    await page.getByText('5 terms').waitFor();
    expect(await view.violations()).toEqual([]);
    await row('News').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await row('Europe').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.dataset.term')).toBe('3');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await view.overflow()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await row('Space').getByRole('link', { name: '3 records with Space' }).click();

    await page.getByText('Category: Space').waitFor();
    await page.getByText('1–3 of 3').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Show records with and without this term' }).click();
    await page.getByText('1–4 of 4').waitFor();
  });

  it('are made, renamed and deleted, each of which can be taken back', async () => {
    await view.goto('/admin/taxonomy/category');
    await act('World', 'New term below …');
    await dialog().getByLabel('Name').fill('Asia');
    expect(await view.violations()).toEqual([]);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('Asia').waitFor();
    expect(await paths()).toContain('news/world/asia');

    await row('Asia').focus();
    await page.keyboard.press('F2');
    await dialog().getByLabel('Slug').fill('space');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Slug').fill('far-east');
    await dialog().getByLabel('Name').fill('Far East');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Far East').waitFor();
    expect(await paths()).toContain('news/world/far-east');
    await undo();
    await row('Asia').waitFor();
    expect(await paths()).toContain('news/world/asia');

    await row('Asia').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Asia is deleted').waitFor();
    expect(await paths()).not.toContain('news/world/asia');
    await undo();
    await row('Asia').waitFor();
    expect(await paths()).toContain('news/world/asia');
  });

  it('are moved by keys, by a dialog and by being dragged', async () => {
    await view.goto('/admin/taxonomy/category');
    await row('World').focus();
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await page.getByText('World is below Europe').waitFor();
    expect(await paths()).toContain('news/europe/world/asia');
    await undo();
    expect(await paths()).toContain('news/world/asia');

    await row('Rome').focus();
    await page.keyboard.press('m');
    await pick('Space');
    await dialog().getByRole('button', { name: 'Move below Space' }).click();
    await page.getByText('Rome is below Space').waitFor();
    expect(await paths()).toContain('space/rome');

    await row('Asia').dragTo(row('Space'));
    await page.getByText('Asia is below Space').waitFor();
    expect(await paths()).toContain('space/asia');
  });

  it('are merged and deleted with what holds them after a question', async () => {
    await act('Europe', 'Merge into …');
    await pick('Space');
    await dialog().getByText('Europe has 1 record, Space has 3 records.').waitFor();
    expect(await view.violations()).toEqual([]);
    await dialog().getByRole('button', { name: 'Merge into Space' }).click();
    await page.getByText('Europe is part of Space').waitFor();
    await row('Space').getByRole('link', { name: '4 records with Space' }).waitFor();

    await act('Space', 'Delete …');
    await dialog().getByText('4 records will lose it.').waitFor();
    await dialog().getByText('2 terms below it will stand at the top level.').waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Space is deleted').waitFor();
    expect((await paths()).sort()).toEqual(['asia', 'news', 'news/world', 'rome']);
  });

  it('are not written over what others have changed since', async () => {
    await act('World', 'Rename …');
    const { body } = await service.http().get('/api/cms/taxonomy/category/slug:world').expect(200);
    await service.http().patch(`/api/cms/taxonomy/category/${body.data.id}`).send({ name: 'Globe' }).expect(200);
    await dialog().getByLabel('Name').fill('Planet');
    await dialog().getByRole('button', { name: 'Save' }).click();

    await dialog().getByText('Someone else has saved this in the meantime.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await row('Globe').waitFor();
  });

  it('of a flat taxonomy are searched, and are for reading where the right is missing', async () => {
    await page.getByRole('link', { name: 'Tag', exact: true }).click();
    await page.getByText('2 terms').waitFor();
    await page.getByLabel('Search terms').fill('igh');
    await page.getByText('1 term found').waitFor();
    await page.waitForURL(/q=igh/);
    await page.getByLabel('Search terms').fill('none');
    await page.getByText('No term has such a name').waitFor();
    expect(await view.violations()).toEqual([]);

    await aPerson(service, { email: 'vic@example.com', name: 'Vic', role: 'viewer', verified: true });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/login/);
    await view.goto('/admin/taxonomy/category');
    await view.signIn('vic@example.com', PASSWORD);
    await row('Globe').waitFor();
    expect(await page.getByRole('button', { name: 'New term' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Actions of/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Category' }).count()).toBe(0);
  });
});
