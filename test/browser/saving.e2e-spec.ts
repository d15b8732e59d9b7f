import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { copyRequests } from '../support/copy-requests.js';
import { waitFor } from '../support/mailbox.js';
import type { TestApp } from '../support/test-app.js';

/** A line of the console about a request that this test has cut off. */
const CUT = /net::ERR_|Failed to load resource/;

describe('What is typed in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;

  const { save, draftOf } = copyRequests(() => service);

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
    view.faults.length = 0;
  });

  const made = (values: object): Promise<number> => app.made('post', values);
  const opened = (id: number | string): Promise<void> => app.opened('post', id);
  const written = async (id: number) => (await app.written('post', id)).data;
  const offline = (isOffline: boolean): Promise<void> => app.browser.context.setOffline(isOffline);
  /** Takes a new page of the same browser, after the one before was closed. */
  const onANewPage = async (): Promise<void> => {
    app.view = await app.another();
    ({ view, page } = app);
  };
  /** Ends the process of the page. One that is closed still sends what it has, and the network may be there again by then. */
  const crash = async (): Promise<void> => {
    const session = await app.browser.context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  };
  /** Has the page look what others have written, as it does when someone turns to it. */
  const lookAgain = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
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
    await offline(true);
    await page.keyboard.type(' And clear');
    await kept('And clear');
    await crash();
    await offline(false);

    await onANewPage();
    await opened(id);

    await page.getByText('that was not saved').waitFor();
    await page.locator('ins').getByText('And clear').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await app.saved();
    expect((await written(id)).body).toBe('It was cold. And clear');
    await page.reload();
    await title().waitFor();
    expect(await page.getByText('that was not saved').count()).toBe(0);
  });

  it('waits on the device while there is no network, to the last key', async () => {
    const id = await made({ title: 'Offline' });
    await opened(id);
    await title().fill('Offline in the mid');
    await offline(true);
    await page.keyboard.type('dle of a word');
    await page.getByText('Offline: kept on this device').waitFor();
    await page.keyboard.type('!');

    await offline(false);

    await app.saved();
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
    await app.saved();

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
    await app.saved();
    expect(await title().inputValue()).toBe('A colleague');
    await page.getByRole('button', { name: 'Undo' }).click();
    await app.saved();
    expect((await written(id)).title).toBe('Mine');

    await save(`post/${id}`, { title: 'A colleague again' });
    await title().fill('Still mine');
    await notice('Title').getByRole('button', { name: 'Keep mine' }).click();
    await app.saved();
    expect((await written(id)).title).toBe('Still mine');
  });

  it('goes on where the cursor is, when what a colleague wrote comes into the text', async () => {
    const id = await made({ title: 'Together', body: 'One\r\n\r\nTwo' });
    await opened(id);
    await body().click();
    await page.keyboard.press('Control+End');
    await save(`post/${id}`, { body: 'One and a half\r\n\r\nTwo' });

    await lookAgain();
    await body().getByText('One and a half').waitFor();
    await page.keyboard.type(', three');

    await app.saved();
    expect((await written(id)).body).toBe('One and a half\r\n\r\nTwo, three');
  });

  it('is offered when a colleague gives the working copy up that has it', async () => {
    const id = await made({ title: 'Shared', status: 'published', body: 'Public.' });
    await opened(id);
    await body().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' And mine.');
    await app.saved();
    await service.http().delete(`/api/cms/post/${id}/draft`).expect(204);

    await lookAgain();
    await page.getByText('that was not saved').waitFor();
    expect(await body().textContent()).toBe('Public.');
    await page.getByRole('button', { name: 'Keep mine' }).click();

    await app.saved();
    expect((await written(id)).body).toBe('Public. And mine.');
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
    await dialog.getByRole('textbox', { name: 'Result' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Five');
    await kept('Four, mine\\nFive');

    await dialog.getByRole('button', { name: 'Use this text' }).click();

    await app.saved();
    expect((await written(id)).body).toBe('One, theirs\n\nTwo\n\nThree\nFour, mine\nFive');
  });

  it('is not published over a change of the record itself that was not decided about', async () => {
    const id = await made({ title: 'Public', status: 'published' });
    await opened(id);
    await title().fill('Public, mine');
    await app.saved();
    await service.http().patch(`/api/cms/post/${id}`).send({ title: 'Public, theirs' }).expect(200);

    await page.getByRole('button', { name: 'Publish changes' }).click();

    await notice('Title').getByRole('button', { name: 'Keep mine' }).click();
    await app.saved();
    expect((await draftOf(`post/${id}`)).conflicts).toEqual([]);
    await page.getByRole('button', { name: 'Publish changes' }).click();
    await page.getByText('All changes saved').waitFor();
    const { body: live } = await service.http().get(`/api/cms/post/${id}`);
    expect(live.data.title).toBe('Public, mine');
  });

  it('can still be copied when the record is gone', async () => {
    const id = await made({ title: 'Soon gone' });
    await opened(id);
    await offline(true);
    await title().fill('Typed into what is gone');
    await kept('Typed into what is gone');
    await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    await page.close();
    await offline(false);
    await onANewPage();

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
