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

  it('shows what others have written since, before anything is brought back', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Bring this back …' }).waitFor();
    await service.http().patch(`/api/cms/${path}`).send({ title: 'The last ferry' }).expect(200);

    await page.getByRole('button', { name: 'Bring this back …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('del').getByText('last').waitFor();
    await service.http().patch(`/api/cms/${path}`).send({ title: 'The next ferry' }).expect(200);
    await dialog.getByRole('button', { name: 'Bring it back' }).click();
    await dialog.locator('del').getByText('next').waitFor();
    expect((await present()).title).toBe('The next ferry');
    await dialog.getByRole('button', { name: 'Bring it back' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await present()).title).toBe('The ferry');
    const before = { title: 'The first ferry', body: 'It left at seven.' };
    await service.http().patch(`/api/cms/${path}`).send(before).expect(200);
  });

  it('compares long texts beside each other or in one, and unfolds what stayed', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `Line ${n + 1} of the timetable.`);
    const body = lines.join('\n');
    const id = await app.made('post', { title: 'Timetable', body });
    const late = body.replace('Line 4', 'Stop 4').replace('Line 28', 'Stop 28');
    await service.http().put(`/api/cms/post/${id}`).send({ body: late }).expect(200);
    await view.goto(`/admin/content/post/${id}/history`);
    const sides = changed('Body').getByRole('table');
    await sides.getByRole('columnheader', { name: 'Version 1' }).waitFor();
    expect(await words('Body')).toEqual({ gone: ['Line', 'Line'], come: ['Stop', 'Stop'] });
    expect(await view.violations()).toEqual([]);
    await page.keyboard.press('F7');
    await page.keyboard.press('F7');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Stop 28');

    await sides.getByRole('button', { name: 'Show 19 unchanged lines' }).click();
    expect(await sides.getByText('Line 15 of the timetable.').count()).toBe(2);
    await page.getByRole('button', { name: 'Inline' }).click();
    await changed('Body')
      .getByRole('button', { name: /^Show \d+ unchanged lines$/ })
      .click();
    await changed('Body').getByText('Line 15 of the timetable.').waitFor();
    expect(await changed('Body').getByRole('table').count()).toBe(0);
    await page.reload();
    await changed('Body').waitFor();
    expect(await page.getByRole('button', { name: 'Inline' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await sides.waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await sides.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Side by side' }).count()).toBe(0);
    expect(await view.overflow()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('copies an older value into the working copy, takes it back, and asks before it replaces another one', async () => {
    const id = await app.made('post', { title: 'Old title', status: 'published' });
    const post = `post/${id}`;
    await service.http().put(`/api/cms/${post}`).send({ title: 'New title' }).expect(200);
    await view.goto(`/admin/content/${post}/history`);
    const titleOf = async () => (await app.written('post', id)).data.title;
    const copy = () => changed('Title').getByRole('button', { name: 'Copy to the working copy' }).click();

    await copy();

    await page.getByText('Title is saved in the working copy').waitFor();
    expect(await titleOf()).toBe('Old title');
    expect((await service.http().get(`/api/cms/${post}`).expect(200)).body.data.title).toBe('New title');
    await page.getByRole('button', { name: /^Not public yet/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The working copy is as it was before.').waitFor();
    expect(await titleOf()).toBe('New title');

    await save(post, { title: 'Written title' });
    await copy();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Title: the working copy has another value').waitFor();
    expect(await view.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep the working copy' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await titleOf()).toBe('Written title');
    await copy();
    await dialog.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Title is saved in the working copy').waitFor();
    expect(await titleOf()).toBe('Old title');
  });

  it('shows what is written and not public yet', async () => {
    await save(path, { title: 'The last ferry' });
    await view.goto(`/admin/content/${path}/history`);

    await page.getByRole('button', { name: /^Not public yet/ }).click();

    await changed('Title').waitFor();
    expect(await words('Title')).toEqual({ gone: ['first'], come: ['last'] });
  });
});
