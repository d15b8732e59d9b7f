import { ConsoleApp } from '../support/console-app.js';
import { ConsolePage } from '../support/console-page.js';
import { otherCode } from '../support/mail-sign-in.js';
import { Mailbox } from '../support/mailbox.js';
import { aPerson, PASSWORD } from '../support/sign-in.js';
import { SubPathGateway } from '../support/sub-path-gateway.js';
import { TOKENS, type TestApp } from '../support/test-app.js';

const POSTS = 34;
const RECORDS = '/admin/content/post';

describe('The console in a real browser', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let mailbox: Mailbox;
  let view: ConsolePage;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    app = await ConsoleApp.start({ ...mailbox.environment, MAIL_FROM: 'Linden Hill <no-reply@example.com>' });
    ({ service, view } = app);
    for (let n = 1; n <= POSTS; n += 1) {
      const status = n % 3 === 0 ? 'published' : 'draft';
      await app.made('post', { title: `Post ${n}`, body: `Text ${n}.`, status });
    }
  });

  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  /** What a reader of the API sees of a post. */
  const published = async (slug: string): Promise<{ status: number; title?: string }> => {
    const { status, body } = await service.http(TOKENS.reader).get(`/api/cms/post/slug:${slug}`);
    return { status, ...(status === 200 ? { title: body.data.title as string } : {}) };
  };

  it('is where the root leads to, asks who one is, and says what to do about a wrong password', async () => {
    const { page } = view;
    await view.goto('/');
    await page.waitForURL(`${app.origin}/admin/login*`);
    expect(await view.violations()).toEqual([]);

    await view.signIn(app.ann.email, 'wrong');

    expect(await page.getByRole('alert').textContent()).toContain('do not match');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(app.ann.email);
  });

  it('signs in by a mailed code, which is pasted, and says so where it is wrong', async () => {
    const { page } = view;
    await page.getByRole('button', { name: 'E-mail me a code' }).click();
    const { code } = await mailbox.next(app.ann.email, /^Sign in/);
    expect(await view.violations()).toEqual([]);

    await view.paste('Digit of the code', otherCode(code));
    expect(await page.getByRole('alert').textContent()).toContain('This code is wrong');
    await view.paste('Digit of the code', code);

    await page.getByRole('heading', { name: 'Posts' }).waitFor();
  });

  it('stays signed in over a reload, and ends the session by a sign-out', async () => {
    const { page } = view;
    await page.reload();
    await page.getByRole('button', { name: 'Your account' }).click();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();

    await view.signIn(app.ann.email, PASSWORD);
    await page.getByRole('heading', { name: 'Posts' }).waitFor();
  });

  it('lists fifteen records, with counts, and keeps status, words and page in the address', async () => {
    const { page } = view;
    await view.goto(RECORDS);
    await page.getByText(`1–15 of ${POSTS}`).waitFor();
    expect(await page.getByRole('row').count()).toBe(16);
    expect(await view.violations()).toEqual([]);

    await page.getByRole('button', { name: 'Drafts 23' }).click();
    await page.getByText('1–15 of 23').waitFor();
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    await page.getByText('16–23 of 23').waitFor();
    expect(page.url()).toContain('status=draft');
    expect(page.url()).toContain('page=2');
    await page.goBack();
    await page.getByText('1–15 of 23').waitFor();

    await view.goto(RECORDS);
    await page.getByText(`1–15 of ${POSTS}`).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('text 7');
    await page.getByText('1 hit').waitFor();
    await page.getByRole('link', { name: 'Post 7' }).waitFor();
    await page.getByRole('textbox').fill('nothing like that');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(await view.violations()).toEqual([]);
    await view.goto(`${RECORDS}?page=99`);
    await page.getByRole('button', { name: 'Page 3' }).click();
    await page.getByText(`31–${POSTS} of ${POSTS}`).waitFor();
  });

  it('writes a new post, saves by itself, and publishes by the keyboard', async () => {
    const { page } = view;
    await view.goto(RECORDS);
    await page.getByRole('link', { name: 'New post' }).click();
    await page.getByLabel('Title').fill('A night under Orion');
    await page.getByText('All changes saved').waitFor();
    await page.waitForURL(/\/content\/post\/\d+$/);
    await page.getByRole('textbox', { name: 'Body' }).click();
    await page.keyboard.type('It was **cold** and clear.');
    await page.getByText('Unsaved changes').or(page.getByText('Saving')).waitFor();
    await page.getByText('All changes saved').waitFor();
    expect(await view.violations()).toEqual([]);
    expect((await published('a-night-under-orion')).status).toBe(404);

    await page.keyboard.press('Control+Shift+Enter');

    await page.getByText('Published', { exact: true }).first().waitFor();
    expect(await published('a-night-under-orion')).toEqual({ status: 200, title: 'A night under Orion' });
    const read = await service.http(TOKENS.reader).get('/api/cms/post/slug:a-night-under-orion?fields=body');
    expect(read.body.data.body).toBe('It was **cold** and clear.');
  });

  it('keeps changes of a public post from the public until they are published', async () => {
    const { page } = view;
    await page.getByLabel('Title').fill('Two nights under Orion');
    await page.getByText('Saved, not public yet').waitFor();
    await page.getByText('edited', { exact: true }).waitFor();
    expect((await published('a-night-under-orion')).title).toBe('A night under Orion');
    await page.reload();
    expect(await page.getByLabel('Title').inputValue()).toBe('Two nights under Orion');

    await page.getByRole('button', { name: 'Publish changes' }).click();

    await page.getByText('All changes saved').waitFor();
    expect((await published('a-night-under-orion')).title).toBe('Two nights under Orion');
  });

  it('shows a fault at its field, and publishes nothing until it is mended', async () => {
    const { page } = view;
    await page.getByLabel('Slug').fill('Bad Slug!');
    await page.locator('input[aria-invalid=true]').waitFor();
    expect(await view.violations()).toEqual([]);

    await page.getByRole('button', { name: 'Publish changes' }).click();

    await page.getByText('One thing is to be mended').waitFor();
    expect(await page.getByText('That did not work').count()).toBe(0);
    expect((await published('a-night-under-orion')).status).toBe(200);
    await page.getByLabel('Slug').fill('a-night-under-orion');
    await page.getByText('All changes saved').waitFor();
  });

  it('takes a post away from the public, moves it to the trash, and takes that back', async () => {
    const { page } = view;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByText('Not public any more').waitFor();
    expect((await published('a-night-under-orion')).status).toBe(404);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to trash' }).click();
    await page.getByText(`1–15 of ${POSTS}`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByText(`1–15 of ${POSTS + 1}`).waitFor();
  });

  it('says that the service does not answer, and saves the last key when it does again', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Two nights under Orion' }).click();
    await page.getByLabel('Title').waitFor();
    await page.route('**/draft?*', (route) => route.abort());
    await page.getByLabel('Title').fill('Three nights');
    await page.getByText('The service does not answer: kept on this device').waitFor();
    await page.unroute('**/draft?*');
    await page.getByText('All changes saved').waitFor();
    view.faults.length = 0; // The lines of what was aborted.
  });

  it('says that a page cannot be loaded while the service is away, and shows it when it can be', async () => {
    const fresh = await app.another();
    const { page } = fresh;
    const later = '**/assets/{palette,editor-page}-*';
    await page.route(later, (route) => route.abort());
    await fresh.goto('/admin/content/post');
    const post = page.getByRole('row').getByRole('link').first();
    await post.waitFor();

    await page.keyboard.press('Control+K');
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    await post.click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Posts' }).waitFor();

    await page.unroute(later);
    await page.getByLabel('Title').waitFor();

    await page.route('**/api/cms/post?*', (route) => route.abort());
    await fresh.goto('/admin/content/post?page=2');
    await page.getByText('The list could not be loaded').waitFor();
    await page.unroute('**/api/cms/post?*');
    await page.getByText('16–30 of').waitFor();

    await page.route('**/assets/**', (route) => route.abort());
    await page.reload();
    await page.getByText('If this stays, reload the page.').waitFor();
    await page.close();
  });

  it('fits a telephone', async () => {
    const { page } = view;
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await view.overflow()).toEqual([]);
    expect(await view.violations()).toEqual([]);
    await view.goto(RECORDS);
    await page.getByText(`1–15 of ${POSTS + 1}`).waitFor();
    expect(await view.overflow()).toEqual([]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: /^Pages/ }).click();
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    expect(await view.overflow()).toEqual([]);
    expect(await view.violations()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('only reads for people who may only read', async () => {
    const bob = await aPerson(service, { name: 'Bob', verified: true });
    const { page } = view;
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await view.signIn(bob.email, PASSWORD);
    await page.getByText('11 records').waitFor();
    expect(await page.getByRole('link', { name: 'New post' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Post 33' }).click();

    await page.getByText('You may read this record').waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    expect(await page.getByLabel('Title').getAttribute('readonly')).not.toBeNull();
  });

  it('leads to its own address from another one', async () => {
    const other = await ConsolePage.open(app.browser, app.origin.replace('localhost', '127.0.0.1'));
    await other.goto(RECORDS);

    await other.page.getByRole('heading', { name: 'This console has another address' }).waitFor();

    expect(await other.page.getByRole('link').getAttribute('href')).toBe(`${app.origin}${RECORDS}`);
    expect(await other.violations()).toEqual([]);
    expect(other.faults).toEqual([]);
    await other.page.close();
  });

  it('works below a path of which the service does not know', async () => {
    const gateway = await SubPathGateway.start(service.app.getHttpServer());
    const below = await ConsolePage.open(app.browser, new URL(gateway.address).origin);
    await below.goto('/cms/admin/content/post/7?from=mail');

    await below.page.getByRole('heading', { name: 'This console has another address' }).waitFor();

    expect(gateway.outside.filter((path) => path !== '/favicon.ico')).toEqual([]);
    expect(below.faults).toEqual([]);
    await below.page.close();
    await gateway.stop();
  });
});
