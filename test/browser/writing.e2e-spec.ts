import type { Page } from 'playwright-core';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';

/** A line of the console about what the policy of the page has kept from the text of a preview. */
const KEPT_OUT = 'violates the following Content Security Policy directive';
const POST = [
  '# A night under Orion',
  '',
  'It was **cold** and *clear*; see [the map](https://example.org/map).',
  '',
  '- [ ] warm socks',
  '- a thermos',
  '',
  '```js',
  'const stars = 3;',
  '```',
  '',
  '| Star | Magnitude |',
  '| ---- | --------- |',
  '| Rigel | 0.1 |',
].join('\n');

describe('Writing a body in the console', () => {
  let app: ConsoleApp;
  let view: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ view, page } = app);
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const forgive = () => {
    view.faults.splice(0, view.faults.length, ...view.faults.filter((fault) => !fault.includes(KEPT_OUT)));
  };
  /** Makes a post, and opens it. */
  const opened = async (text: string): Promise<number> => {
    const id = await app.made('post', { title: 'Orion', body: text });
    await app.opened('post', id);
    return id;
  };
  const body = () => page.getByRole('textbox', { name: 'Body' });
  const mode = (name: string) => page.getByRole('group', { name: 'View of the body' }).getByRole('button', { name });
  /** The line that has a text, as it is shown. */
  const line = (text: string) => page.locator('.cm-line').filter({ hasText: text });
  const written = async (id: number): Promise<string> => {
    await app.saved();
    return (await app.written('post', id)).data.body;
  };
  const paste = (types: Readonly<Record<string, string>>): Promise<void> =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(types)})) clipboardData.setData(type, text);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);

  it('hides marks away from the cursor, shows them at it, and keeps every byte', async () => {
    const id = await opened(POST);
    await line('It was cold and clear; see the map.').waitFor();
    await line('const stars').locator('span[class]', { hasText: 'const' }).waitFor();
    expect(await view.violations()).toEqual([]);

    await body().getByText('cold').click();

    await line('It was **cold** and clear; see the map.').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' Good.');
    expect(await written(id)).toBe(POST.replace('map).', 'map). Good.'));
  });

  it('ticks a task by a click, goes on with the list, and takes the cursor out of the editor by Esc and Tab', async () => {
    const id = await opened(POST);
    await page.getByRole('checkbox', { name: 'Task' }).click();
    await page.locator('input[type=checkbox]:checked').waitFor();
    await line('a thermos').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('with tea');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.locator('.cm-content:focus').count()).toBe(0);

    const text = POST.replace('[ ]', '[x]').replace('a thermos', 'a thermos\n  - with tea');
    expect(await written(id)).toBe(text);
  });

  it('makes a link of words that an address is pasted over, and offers marked text as Markdown', async () => {
    const id = await opened('words');
    await body().click();
    await page.keyboard.press('Control+a');
    await paste({ 'text/plain': 'https://example.org/' });
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    const html = '<h2>Big <em>news</em> <a href=" Java\nscript:alert(1)">now</a></h2><script>alert(1)</script>';
    await paste({ 'text/plain': 'Big news', 'text/html': html });
    expect(await view.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Paste as Markdown' }).click();

    await line('Big news now').waitFor();
    expect(await written(id)).toBe('[words](https://example.org/)\n## Big *news* now');
  });

  it('shows a preview in which nothing runs and which fetches nothing', async () => {
    const hostile = [
      '# Preview',
      '<script>parent.document.title = "hacked"; new Image().src = "https://evil.example/a"</script>',
      '<img src="https://evil.example/b.png" alt="from elsewhere" onerror="top.hacked = 1">',
      '<svg onload="top.hacked = 1"></svg><iframe src="https://evil.example/c"></iframe>',
      '<link rel="stylesheet" href="https://evil.example/d.css"><style>@import "https://evil.example/e.css";</style>',
      '<form action="https://evil.example/f"><button>g</button></form><video src="https://evil.example/h"></video>',
      '<meta http-equiv="refresh" content="0;url=https://evil.example/i"><base href="https://evil.example/">',
      '<div style="background:url(https://evil.example/j)" background="https://evil.example/k">A box</div>',
      '[run](javascript:alert(1)) and <a href="https://evil.example/l" ping="https://evil.example/m">go</a>',
    ].join('\n\n');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await opened(hostile);
    requests.length = 0;
    await page.keyboard.press('Control+Alt+p');

    const frame = page.frameLocator('iframe[title=Preview]');
    await frame.getByRole('heading', { name: 'Preview' }).waitFor();
    await frame.getByText('A box').waitFor();
    await frame.getByText('from elsewhere').waitFor();
    expect(await frame.locator('script, iframe, form, video, style:not([nonce]), svg, base, img').count()).toBe(0);
    expect(await frame.getByText('run').getAttribute('href')).toBeNull();
    expect(await frame.getByText('go', { exact: true }).getAttribute('rel')).toContain('noopener');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.title()).toContain('Orion');
    expect(requests.filter((url) => url.includes('evil') || !url.includes('/admin/assets/'))).toEqual([]);
    expect(await view.violations()).toEqual([]);
    forgive();
  });

  it('remembers how the body is looked at, and shows the marks of Markdown where they are asked for', async () => {
    await page.reload();
    await page.frameLocator('iframe[title=Preview]').getByRole('heading', { name: 'Preview' }).waitFor();
    forgive();
    await mode('Markdown').click();
    await line('# Preview').waitFor();
    await opened(POST);
    await line('It was **cold** and *clear*; see [the map]').waitFor();
    expect(await view.violations()).toEqual([]);
    await mode('Write').click();
    await line('It was cold and clear').waitFor();
  });

  it('finds words, and puts others in their place', async () => {
    const id = await opened('One star, two stars, three Stars.');
    await body().click();
    await page.keyboard.press('Control+f');
    const find = page.getByRole('search', { name: 'Find and replace' });
    await find.getByLabel('Find', { exact: true }).fill('star');
    await find.getByText('3 found').waitFor();
    await page.keyboard.press('Enter');
    await find.getByText('1 of 3').waitFor();
    await page.keyboard.press('Shift+Enter');
    await find.getByText('3 of 3').waitFor();
    expect(await view.violations()).toEqual([]);
    await find.getByRole('button', { name: 'Match case' }).click();
    await find.getByText('2 found').waitFor();
    await find.getByLabel('Replace with').fill('sun');
    await find.getByRole('button', { name: 'All' }).click();
    await find.getByText('Not found').waitFor();
    await page.keyboard.press('Escape');

    expect(await written(id)).toBe('One sun, two suns, three Stars.');
    expect(await page.locator('.cm-content:focus').count()).toBe(1);
  });

  it('shows its keys, does things at single ones, and lets them be switched off', async () => {
    await body().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Why?');
    await app.saved();
    await view.goto('/admin/content/post');
    await page.getByRole('link', { name: 'Orion' }).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByText('Find and replace').waitFor();
    expect(await view.violations()).toEqual([]);
    await sheet.getByLabel('Keys without Ctrl').uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    await page.keyboard.press('n');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Keys' }).click();
    await sheet.getByLabel('Keys without Ctrl').check();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.waitForURL(/\/content\/post\/new$/);
  });

  it('is of HTML with a preview, or of plain text, where the type says so', async () => {
    for (const [name, body] of [
      ['banner', 'html'],
      ['notice', 'text'],
    ]) {
      await app.service.http().post('/api/admin/types').send({ name, label: name, body, fields: [] }).expect(201);
    }
    const banner = await app.made('banner', { title: 'Sale', body: '<p>Two <em>for</em> one</p>' });
    await app.opened('banner', banner);
    await line('<p>Two <em>for</em> one</p>').click();
    expect(await page.getByRole('toolbar').count()).toBe(0);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('<hr>');
    await page.keyboard.press('Control+Alt+p');
    await page.frameLocator('iframe[title=Preview]').getByText('Two for one').waitFor();
    forgive();
    await page.keyboard.press('Control+Alt+p');
    await app.saved();
    expect((await app.written('banner', banner)).data.body).toBe('<p>Two <em>for</em> one</p><hr>');

    const notice = await app.made('notice', { title: 'Closed', body: '**Closed** today' });
    await app.opened('notice', notice);
    await line('**Closed** today').click();
    expect(await page.getByRole('group', { name: 'View of the body' }).count()).toBe(0);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- and tomorrow');
    await app.saved();
    expect((await app.written('notice', notice)).data.body).toBe('**Closed** today\n- and tomorrow');
  });

  it('opens a body of 0.9 MB, and saves the last key', async () => {
    const long = Array.from(
      { length: 9_000 },
      (_, n) => `## Part ${n}\n\nThe *night* was [cold](https://example.org/${n}), and **clear** as glass.\n`,
    );
    const id = await opened(long.join('\n'));
    await line('The night was cold').first().click();
    await page.keyboard.press('Control+End');
    await line('Part 8999').waitFor();
    await page.keyboard.type('The end!');

    expect((await written(id)).endsWith('as glass.\nThe end!')).toBe(true);
    await page.getByText(/\d minutes to read/).waitFor();
  });

  it('fits a telephone, with room for fingers', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await opened(POST);
    await line('It was cold').waitFor();
    expect(await view.overflow()).toEqual([]);
    expect(await view.violations()).toEqual([]);
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[role=toolbar] button, [aria-label="View of the body"] button')]
        .map((button) => button.getBoundingClientRect().height)`,
    );
    expect(heights.length).toBeGreaterThan(12);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await mode('Preview').click();
    await page.frameLocator('iframe[title=Preview]').getByRole('heading', { name: 'Orion' }).waitFor();
    expect(await view.overflow()).toEqual([]);
    await mode('Write').click();
  });
});
