import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { builtConsole } from '../support/built-console.js';
import { FreshChromium } from '../support/chromium.js';
import { ConsolePage } from '../support/console-page.js';
import { copyRequests } from '../support/copy-requests.js';
import { freePort } from '../support/free-port.js';
import { waitFor } from '../support/mailbox.js';
import { aPerson, PASSWORD } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SAVED = /All changes saved|Saved, not public yet/;
/** A line of the console about a request that this test has cut off. */
const CUT = /net::ERR_|Failed to load resource/;

describe('What is typed in the console', () => {
  const consoleFolder = builtConsole();
  let service: TestApp;
  let browser: FreshChromium;
  let origin: string;
  let view: ConsolePage;
  let page: Page;

  const { save, draftOf } = copyRequests(() => service);

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    service = await startTestApp({ RATE_LIMITS: 'off', PUBLIC_URL: origin }, { consoleFolder }, { port });
    const ann = await aPerson(service, { name: 'Ann Lee', role: 'admin', verified: true });
    browser = await FreshChromium.start();
    view = await ConsolePage.open(browser, origin);
    ({ page } = view);
    await view.goto('/admin/');
    await view.signIn(ann.email, PASSWORD);
    await page.getByRole('heading', { name: 'Posts' }).waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
    await rm(consoleFolder, { recursive: true });
  });

  afterEach(() => {
    expect(view.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
    view.faults.length = 0;
  });

  const made = async (values: object): Promise<number> => {
    const { body } = await service.http().post('/api/cms/post').send(values).expect(201);
    return body.data.id as number;
  };
  const opened = async (id: number | string): Promise<void> => {
    await view.goto(`/admin/content/post/${id}`);
    await title().waitFor();
  };
  /** The record as its working copy would make it. */
  const written = async (id: number): Promise<{ title: string; body: string }> => {
    const draft = await service.http().get(`/api/cms/post/${id}/draft`);
    const { body } = draft.status === 200 ? draft : await service.http().get(`/api/cms/post/${id}`);
    return body.data as { title: string; body: string };
  };
  const saved = () => page.getByRole('status').getByText(SAVED).waitFor();
  const title = () => page.getByRole('textbox', { name: 'Title' });
  const body = () => page.getByRole('textbox', { name: 'Body' });
  const notice = (field: string) => page.getByRole('group', { name: `${field}: changed by both` });
  /** Until the device has kept a text. */
  const kept = (text: string): Promise<unknown> =>
    waitFor(async () => ((await onDevice()).includes(text) ? true : null), `${text} on the device`);
  const onDevice = (): Promise<string> =>
    page.evaluate<string>(`new Promise((read) => {
      const opening = indexedDB.open('content-console /admin/');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('echoes').objectStore('echoes').getAll();
        reading.onsuccess = () => read(JSON.stringify(reading.result));
      };
    })`);

  it('is offered again, with what it differs by, after its page was killed', async () => {
    const id = await made({ title: 'Killed', body: 'It was cold.' });
    await opened(id);
    await body().click();
    await page.keyboard.press('Control+End');
    await browser.context.setOffline(true);
    await page.keyboard.type(' And clear');
    await kept('And clear');
    await page.close();
    await browser.context.setOffline(false);

    view = await ConsolePage.open(browser, origin);
    ({ page } = view);
    await opened(id);

    await page.getByText('that was not saved').waitFor();
    await page.locator('ins').getByText('And clear').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await saved();
    expect((await written(id)).body).toBe('It was cold. And clear');
    await page.reload();
    await title().waitFor();
    expect(await page.getByText('that was not saved').count()).toBe(0);
  });

  it('waits on the device while there is no network, to the last key', async () => {
    const id = await made({ title: 'Offline' });
    await opened(id);
    await title().fill('Offline in the mid');
    await browser.context.setOffline(true);
    await page.keyboard.type('dle of a word');
    await page.getByText('Offline: kept on this device').waitFor();
    await page.keyboard.type('!');

    await browser.context.setOffline(false);

    await saved();
    expect((await written(id)).title).toBe('Offline in the middle of a word!');
  });

  it('makes one record, whatever becomes of the requests that make it', async () => {
    await view.goto('/admin/content/post');
    const fates = ['answer lost', 'lost'];
    await page.route('**/api/cms/post', async (route) => {
      const fate = route.request().method() === 'POST' ? fates.shift() : undefined;
      if (fate === undefined) return route.continue();
      if (fate === 'answer lost') await route.fetch();
      return route.abort();
    });
    await page.getByRole('link', { name: 'New post' }).click();

    await title().fill('Made once');
    await page.getByText('kept on this device').waitFor();
    await title().fill('Made once, and longer');
    await page.waitForURL(/\/content\/post\/\d+$/);
    await saved();

    const { body: list } = await service.http().get('/api/cms/post?filter[title][contains]=Made once');
    expect(list.data).toHaveLength(1);
    expect((await written(list.data[0].id as number)).title).toBe('Made once, and longer');
    await page.unroute('**/api/cms/post');
  });

  it('stands beside what a colleague wrote into the same field, and either of both can be had', async () => {
    const id = await made({ title: 'Begin' });
    await opened(id);
    await save(`post/${id}`, { title: 'A colleague', body: 'Their text' });
    await title().fill('Mine');
    await notice('Title').getByText('changed this').waitFor();
    await body().getByText('Their text').waitFor();
    expect(await view.violations()).toEqual([]);
    expect((await written(id)).title).toBe('A colleague');

    await notice('Title').getByRole('button', { name: 'Take theirs' }).click();
    await saved();
    expect(await title().inputValue()).toBe('A colleague');
    await page.getByRole('button', { name: 'Undo' }).click();
    await saved();
    expect((await written(id)).title).toBe('Mine');

    await save(`post/${id}`, { title: 'A colleague again' });
    await title().fill('Still mine');
    await notice('Title').getByRole('button', { name: 'Keep mine' }).click();
    await saved();
    expect((await written(id)).title).toBe('Still mine');
  });

  it('is merged with a colleague’s text side by side, with the words of both', async () => {
    const id = await made({ title: 'Merged', body: 'One\n\nTwo\n\nThree\n' });
    await opened(id);
    await body().getByText('Three').waitFor();
    await save(`post/${id}`, { body: 'One, theirs\n\nTwo\n\nThree\n' });
    await body().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Four, mine\n');
    await notice('Body').getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your changes and theirs are both in the result').waitFor();
    expect(await view.violations()).toEqual([]);

    await dialog.getByRole('button', { name: 'Use this text' }).click();

    await saved();
    expect((await written(id)).body).toBe('One, theirs\n\nTwo\n\nThree\nFour, mine\n');
  });

  it('is not published over a change of the record itself that was not decided about', async () => {
    const id = await made({ title: 'Public', status: 'published' });
    await opened(id);
    await title().fill('Public, mine');
    await saved();
    await service.http().patch(`/api/cms/post/${id}`).send({ title: 'Public, theirs' }).expect(200);

    await page.getByRole('button', { name: 'Publish changes' }).click();

    await notice('Title').getByRole('button', { name: 'Keep mine' }).click();
    await saved();
    expect((await draftOf(`post/${id}`)).conflicts).toEqual([]);
    await page.getByRole('button', { name: 'Publish changes' }).click();
    await page.getByText('All changes saved').waitFor();
    const { body: live } = await service.http().get(`/api/cms/post/${id}`);
    expect(live.data.title).toBe('Public, mine');
  });

  it('can still be copied when the record is gone', async () => {
    const id = await made({ title: 'Soon gone' });
    await opened(id);
    await browser.context.setOffline(true);
    await title().fill('Typed into what is gone');
    await kept('Typed into what is gone');
    await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    await page.close();
    await browser.context.setOffline(false);
    view = await ConsolePage.open(browser, origin);
    ({ page } = view);

    await view.goto(`/admin/content/post/${id}`);

    await page.getByText('is still on this device').waitFor();
    await page.getByText('Typed into what is gone').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Give it up' }).click();
    await page.getByText('Typed into what is gone').waitFor({ state: 'detached' });
  });

  it('is there again when someone comes back to a new record that has no title yet', async () => {
    await opened('new');
    await body().click();
    await page.keyboard.type('Without a title');
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await page.getByRole('link', { name: 'New post' }).click();
    await body().getByText('Without a title').waitFor();

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await title().fill('With one');
    await page.waitForURL(/\/content\/post\/\d+$/);
  });
});
