import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { aPerson, PASSWORD, signedIn, type Person } from '../support/sign-in.js';
import type { TestApp } from '../support/test-app.js';

describe('A session of the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let bob: Person;
  let id: number;
  let view: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    bob = await aPerson(service, { name: 'Bob Ray', email: 'bob@example.com', role: 'admin', verified: true });
    id = await app.made('post', { title: 'Written', body: 'First.' });
    await app.signIn(`/admin/content/post/${id}`);
    await page.getByLabel('Title').waitFor();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const dialog = (on = page) => on.getByRole('dialog', { name: 'Your session has ended' });
  const text = () => page.getByRole('textbox', { name: 'Body' });
  const typeAtEnd = async (words: string): Promise<void> => {
    await text().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(words);
  };
  /** Ends all sessions of a person, as they do from another device. */
  const revoke = async (person: Pick<Person, 'email'>): Promise<void> => {
    const { token } = await signedIn(service, person);
    await service.http(token).post('/api/auth/logout').send({ scope: 'all' }).expect(204);
  };
  const signInAgain = async (email: string | null): Promise<void> => {
    if (email !== null) await dialog().getByLabel('E-mail').fill(email);
    await dialog().getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const written = async () => (await app.written('post', id)).data;
  /** Another tab of the same browser. */
  const another = async (): Promise<ConsolePage> => {
    const other = await app.another();
    await other.goto('/admin/content/post');
    return other;
  };

  it('that is revoked while someone types asks for the sign-in over the editor, and the text is saved after it', async () => {
    await revoke(app.ann);
    await typeAtEnd(' And more');
    await dialog().waitFor();

    await dialog().getByText('Sign in again as ann@example.com; what you wrote is still here.').waitFor();
    expect(await dialog().getByLabel('E-mail').inputValue()).toBe(app.ann.email);
    expect(await text().textContent()).toContain('And more');
    expect(page.url()).toContain(`/content/post/${id}`);
    expect(await view.violations()).toEqual([]);
    await signInAgain(null);

    await dialog().waitFor({ state: 'detached' });
    await app.saved();
    expect((await written()).body).toBe('First. And more');
    await page.keyboard.type(', from where I was');
    await page.getByText('Unsaved changes').or(page.getByText('Saving')).waitFor();
    await app.saved();
    expect((await written()).body).toBe('First. And more, from where I was');
  });

  it('is opened again by a sign-in in another tab', async () => {
    await revoke(app.ann);
    await typeAtEnd('!');
    await dialog().waitFor();

    const other = await another();
    await other.signIn(app.ann.email, PASSWORD);

    await dialog().waitFor({ state: 'detached' });
    await app.saved();
    expect((await written()).body).toBe('First. And more, from where I was!');
    await other.page.close();
  });

  it('that is ended in another tab is asked for again where something is unsaved, and leads to the sign-in elsewhere', async () => {
    const [leaver, idle] = [await another(), await another()];
    for (const tab of [leaver, idle]) await tab.page.getByRole('heading', { name: 'Posts' }).waitFor();
    await page.route('**/draft?*', (route) => route.abort());
    await typeAtEnd('?');
    await page.getByText('kept on this device').waitFor();

    await leaver.page.getByRole('button', { name: 'Your account' }).click();
    await leaver.page.getByRole('menuitem', { name: 'Sign out' }).click();

    await dialog().waitFor();
    await idle.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await dialog(idle.page).count()).toBe(0);
    await page.unroute('**/draft?*');
    for (const tab of [leaver, idle]) await tab.page.close();
    view.faults.length = 0;
  });

  it('of another person starts the console afresh, and keeps the text of the first one for them', async () => {
    await signInAgain(bob.email);

    await page.getByRole('heading', { name: 'Posts' }).waitFor();
    await page.getByRole('button', { name: 'BR: Your account' }).waitFor();
    expect((await written()).body).toBe('First. And more, from where I was!');
    await page.getByRole('link', { name: 'Written' }).click();
    await text().waitFor();
    expect(await text().textContent()).not.toContain('?');
  });

  it('asks before it is ended by hand while something is unsaved, which is there again for the same person', async () => {
    await page.route('**/draft?*', (route) => route.abort());
    await typeAtEnd(' By Bob');
    await page.getByText('kept on this device').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Something that you wrote is not saved yet').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Sign out anyway' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.unroute('**/draft?*');

    await view.signIn(app.ann.email, PASSWORD);

    await page.getByRole('button', { name: 'AL: Your account' }).waitFor();
    expect((await written()).body).toBe('First. And more, from where I was!');
    await page.getByRole('link', { name: 'Written' }).click();
    await page.getByText('that was not saved').waitFor();
    await page.locator('ins').getByText('?').waitFor();
    expect(await text().textContent()).not.toContain('By Bob');
    view.faults.length = 0;
  });
});
