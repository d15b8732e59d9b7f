import type { Page } from 'playwright-core';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { ConsoleApp } from '../support/console-app.js';
import type { ConsolePage } from '../support/console-page.js';
import { declareEveryKind } from '../support/every-kind.js';
import type { TestApp } from '../support/test-app.js';

const PLACES = 45;

describe('A form in the console', () => {
  let app: ConsoleApp;
  let service: TestApp;
  let view: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    app = await ConsoleApp.start();
    ({ service, view, page } = app);
    await declareEveryKind(service);
    for (let n = 1; n <= PLACES; n += 1) await app.made('place', { title: `Place ${n}`, status: 'published' });
    await term({ name: 'News' });
    await app.signIn();
  });

  afterAll(() => app.close());

  afterEach(() => {
    expect(view.faults).toEqual([]);
  });

  const term = (values: object) =>
    service
      .http()
      .post('/api/cms/taxonomy')
      .send({ type: 'category', ...values })
      .expect(201);
  const manyTerms = async (most: number): Promise<void> => {
    const rows = Array.from({ length: most }, (_, n) => {
      const name = `t${String(n).padStart(4, '0')}`;
      return `('category', '${name}', '${name}', '${name}', '${name}', '${name}!', 0, 1, 1, 1)`;
    });
    await service.app.get(UnitOfWork).run((manager) =>
      manager.query(
        `INSERT INTO terms (taxonomy, slug, name, name_key, path, sort_key, position, depth, created_at, updated_at)
         VALUES ${rows.join()}`,
      ),
    );
  };
  const opened = (id: number): Promise<void> => app.opened('event', id);
  const written = (id: number) => app.written('event', id);
  const unsaved = () => page.getByText('Not saved: correct the marked fields').waitFor();
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const picker = (label: string) => page.getByRole('combobox', { name: label, exact: true });
  const option = (name: string) => page.getByRole('option', { name });

  it('has an input for each kind of field, and saves what is put in by hand', async () => {
    const id = await app.made('event', { title: 'Star party' });
    await opened(id);
    await field('Tagline').fill('Under the dome');
    await field('Summary').fill('Two lines\nof text');
    await field('Notes').fill('**Bring** a coat');
    await field('Embed').fill('<b>Hi</b>');
    await field('Seats').fill('120');
    await field('Price').fill('7,5');
    await page.getByLabel('Free of charge').selectOption('No');
    await page.getByLabel('Opens on').fill('2026-05-01');
    await page.getByLabel('Starts at').fill('2026-05-01T21:30:15');
    await field('Contact').fill('ann@example.com');
    await field('Website').fill('https://example.com/stars');
    await page.getByLabel('Level').selectOption('advanced');
    await field('Settings').fill('{"dome": [1, 2]}');
    await page.getByRole('button', { name: 'Add an item to Topics' }).click();
    await page.keyboard.type('Saturn');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Moon, full');
    await page.getByRole('button', { name: 'Move Topics, item 2 up' }).click();
    await page.getByRole('button', { name: 'Add an item to Sizes' }).click();
    await page.keyboard.type('38');

    await app.saved();
    const { data } = await written(id);
    const instant = await page.evaluate<string>(`new Date('2026-05-01T21:30:15').toISOString()`);
    expect(data).toMatchObject({
      ...{ tagline: 'Under the dome', summary: 'Two lines\nof text', notes: '**Bring** a coat', embed: '<b>Hi</b>' },
      ...{ seats: 120, price: 7.5, is_free: false, opens_on: '2026-05-01', starts_at: instant },
      ...{ contact: 'ann@example.com', website: 'https://example.com/stars', level: 'advanced' },
      ...{ settings: { dome: [1, 2] }, topics: ['Moon, full', 'Saturn'], sizes: [38] },
    });
    await page.getByText(`Stored as ${instant}`).waitFor();
    await page.reload();
    expect(await page.getByLabel('Starts at').inputValue()).toBe('2026-05-01T21:30:15');
    expect(await field('Settings').inputValue()).toBe('{\n  "dome": [\n    1,\n    2\n  ]\n}');
  });

  it('reaches every record by the picker of a relation, keeps their order, and those that are gone', async () => {
    const gone = await app.made('place', { title: 'Gone place', status: 'published' });
    const id = await app.made('event', { title: 'Walk', hosts: [{ type: 'place', id: gone }] });
    await service.http().delete(`/api/cms/place/${gone}`).expect(204);
    await opened(id);

    await picker('Venue').click();
    await page.getByText(`Show more (20 of ${PLACES})`).click();
    await page.getByText(`Show more (40 of ${PLACES})`).click();
    await page.getByRole('option', { name: /^Place 1(?!\d)/ }).click();
    await page.getByRole('link', { name: 'Place 1', exact: true }).waitFor();
    await picker('Hosts').fill('place 3');
    await option('Place 37').waitFor();
    await picker('Hosts').fill('place 37');
    await page.getByText('Place 36').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move Place 37 up' }).click();

    await app.saved();
    const { data } = await written(id);
    expect(data.venue).toMatchObject({ type: 'place' });
    expect((data.hosts as { id: number }[]).map((host) => host.id)).toEqual([expect.any(Number), gone]);
    await page.getByRole('link', { name: `place ${gone}` }).waitFor();
    expect(await view.violations()).toEqual([]);
  });

  it('finds terms among a thousand, and makes those that there are not', async () => {
    const { body: top } = await term({ name: 'World' });
    await term({ name: 'Region 59', parent_id: top.data.id });
    await manyTerms(1_000);
    const id = await app.made('event', { title: 'Terms' });
    await opened(id);

    await picker('Category').click();
    await page.getByText('Show more (20 of 1,003)').waitFor();
    await picker('Category').fill('region 5');
    await view.pick(/^Region 59.*world$/);
    await picker('Tag').fill('Night sky');
    await option('Create “Night sky”').click();
    await app.saved();
    expect(await written(id)).toMatchObject({
      data: { terms: { category: [{ name: 'Region 59' }] } },
      meta: { draft: { new_terms: { tag: ['Night sky'] } } },
    });
    await picker('Tag').fill('x'.repeat(256));
    await page.getByText('1 character too many: at most 255 are kept').waitFor();
    await picker('Tag').press('Backspace');
    await option('Create “xxx').click();
    const chip = page.getByRole('listitem').filter({ hasText: 'xxx' });
    expect((await chip.getByText('new', { exact: true }).boundingBox())?.height).toBeLessThan(30);
    await app.saved();

    await picker('Category').fill('Moons');
    await option('Create “Moons”').click();
    await page.getByRole('button', { name: 'Remove Region 59' }).click();
    await page.getByRole('button', { name: 'Remove Moons' }).waitFor();
    await app.saved();
    expect(await view.violations()).toEqual([]);
    expect(await written(id)).toMatchObject({ data: { terms: { category: [{ name: 'Moons' }] } } });
  });

  it('adds a tag that is typed and left, and says what is not chosen', async () => {
    await service.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Comets' }).expect(201);
    await term({ name: 'Sub 3' });
    const id = await app.made('event', { title: 'Left' });
    await opened(id);
    await picker('Tag').fill('comets');
    await option('Comets').waitFor();
    await picker('Tag').press('Tab');
    await page.getByRole('button', { name: 'Remove Comets' }).waitFor();
    await picker('Tag').click();
    await page.getByText('Picked already').waitFor();
    await picker('Tag').pressSequentially('Mars, Venus');
    await picker('Tag').press('Control+s');
    await picker('Category').fill('Nowhere');
    await picker('Category').press('Escape');
    await page.getByLabel('Slug').click();
    await page.getByText('“Nowhere” is not chosen').waitFor();
    await picker('Category').fill('Sub-3');
    await option('Create “Sub-3”').click();
    await page.getByRole('button', { name: 'Remove Sub 3' }).waitFor();

    await app.saved();
    const tag = [{ name: 'Comets' }, { name: 'Mars' }, { name: 'Venus' }];
    expect((await written(id)).data).toMatchObject({ terms: { category: [{ name: 'Sub 3' }], tag } });
  });

  it('keeps what cannot be saved in its field and on the device, and leads there from the summary', async () => {
    const id = await app.made('event', { title: 'Faulty' });
    await opened(id);
    await field('Tagline').fill('x'.repeat(61));
    await field('Settings').fill('{\n  "a": 1,\n}');
    await field('Seats').fill('900');
    await page.getByText('1 character too many').waitFor();
    await page.getByText('Line 3, column 1').waitFor();
    await unsaved();
    await page.getByRole('button', { name: 'Publish' }).click();

    await page.getByText('things are to be mended').waitFor();
    expect(await view.violations()).toEqual([]);
    await page.getByRole('link', { name: /^Settings: Line 3/ }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('field-settings');
    expect((await written(id)).data).toMatchObject({ seats: 900, tagline: null, settings: null });

    await page.keyboard.press('Control+a');
    await page.keyboard.type('1');
    await field('Tagline').fill('short');
    await field('Seats').fill('90');
    await app.saved();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('One thing is to be mended').waitFor();
    expect(await page.getByText('That did not work').count()).toBe(0);
    await page.getByRole('link', { name: 'Starts at is required.' }).click();
    await page.keyboard.type('01052026');
    await page.getByLabel('Starts at').fill('2026-05-01T21:30');
    await app.saved();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('published', { exact: true }).first().waitFor();
    expect((await written(id)).data).toMatchObject({ status: 'published', seats: 90, settings: 1, tagline: 'short' });
  });

  it('says who has a slug already', async () => {
    const other = await app.made('event', { title: 'Taken', slug: 'taken' });
    await opened(await app.made('event', { title: 'Mine' }));
    await page.getByLabel('Slug').fill('taken');

    const link = page.getByRole('link', { name: 'Taken', exact: true });
    expect(await link.getAttribute('href')).toBe(`/admin/content/event/${other}`);
    await page.getByLabel('Slug').fill('not-taken');
    await link.waitFor({ state: 'detached' });
    await app.saved();
  });

  it('fits a telephone, with targets for a thumb', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Add an item to Topics' }).click();
    await picker('Hosts').click();
    await option('Place 45').waitFor();

    expect(await view.overflow()).toEqual([]);
    expect(await view.violations()).toEqual([]);
    const small = await page.evaluate<string[]>(`[...document.querySelectorAll(
      'main :is(input, select, textarea), [role=option], aside button, section button')]
      .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 120))`);
    expect(small).toEqual([]);
  });
});
