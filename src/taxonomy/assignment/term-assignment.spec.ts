import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ValidationError } from '../../common/errors/domain-error.js';
import { openTaxonomy, type OpenTaxonomy } from '../../../test/support/taxonomy.js';
import { execute, select } from '../../database/statements/statement.js';
import type { WantedTerms } from './wanted-terms.js';

describe('TermAssignment', () => {
  let open: OpenTaxonomy;
  let news: number;
  let world: number;
  let kept: number;
  /** Leaves the unit of work that is open. */
  let outOf: <Result>(work: () => Result) => Result;

  const resolve = (wanted: WantedTerms, names: readonly string[] = ['category', 'tag']) =>
    open.unitOfWork.run((manager) => open.assignment.resolve(manager, names, wanted));

  const faultsOf = async (wanted: WantedTerms, names?: readonly string[]): Promise<string[]> => {
    const refused = await resolve(wanted, names).catch((error: unknown) => error as ValidationError);
    return (refused as ValidationError).faults.map(({ field, rule }) => `${field}: ${rule}`);
  };

  const insert = (slug: string, parent: { id: number; key: string } | null = null): Promise<number> =>
    open.unitOfWork.run(async (manager) => {
      const { insertId } = await execute(
        manager,
        `INSERT INTO terms (taxonomy, slug, name, name_key, parent_id, position, path, sort_key, depth, created_at, updated_at)
         VALUES ('category', ?, ?, ?, ?, 0, ?, ?, ?, 0, 0)`,
        [slug, slug, slug, parent?.id ?? null, slug, `${parent?.key ?? ''}00000000${slug}!1!`, parent ? 2 : 1],
      );
      return insertId;
    });

  const merge = (from: { id: number; slug: string }, taxonomy: string, into: number) =>
    open.unitOfWork.run(async (manager) => {
      await execute(manager, 'DELETE FROM terms WHERE id = ?', [from.id]);
      await execute(
        manager,
        'INSERT INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending) VALUES (?, ?, ?, ?, 0)',
        [from.id, taxonomy, from.slug, into],
      );
      await execute(manager, 'UPDATE taxonomies SET terms_changed_at = terms_changed_at + 1 WHERE name = ?', [
        taxonomy,
      ]);
    });

  beforeAll(async () => {
    outOf = AsyncLocalStorage.snapshot();
    open = await openTaxonomy();
    news = await insert('news');
    world = await insert('world', { id: news, key: '00000000news!1!' });
  });

  afterAll(() => open.close());

  it.each([
    ['slug', (): WantedTerms => ({ tag: ['kept'] })],
    ['several ids', (): WantedTerms => ({ tag: [kept], category: [news, world] })],
  ])('keeps terms that are named by %s from going away until the unit of work ends', async (_, wanted) => {
    kept = (await resolve({ tag: ['kept'] })).tag?.[0] ?? 0;
    const order: string[] = [];
    let removing: Promise<unknown> = Promise.resolve();

    await open.unitOfWork.run(async (manager) => {
      await open.assignment.resolve(manager, ['category', 'tag'], wanted());
      removing = outOf(() =>
        open.unitOfWork.run(async (other) => {
          await select(other, `SELECT * FROM terms WHERE id = ?${open.dialect.lockForUpdate}`, [kept]);
          order.push('taken');
        }),
      );
      await sleep(100);
      order.push('assigned');
    });
    await removing;

    expect(order).toEqual(['assigned', 'taken']);
  });

  it('takes ids, ids written as texts, and slugs, each term once and in order', async () => {
    expect(await resolve({ category: ['world', news, String(world), 'news'] })).toEqual({ category: [world, news] });
  });

  it('creates the tags that it lacks, and finds them by name, by slug and by another spelling of the name', async () => {
    const first = await resolve({ tag: ['Čas & Práce', '日本語'] });

    expect(first.tag).toHaveLength(2);
    expect(await resolve({ tag: ['cas-and-prace', 'CAS & PRACE', '日本語 '] })).toEqual(first);
    const created = await open.terms.byIds(first.tag ?? []);
    expect([...created.values()]).toMatchObject([
      { taxonomy: 'tag', slug: 'cas-and-prace', name: 'Čas & Práce', parentId: null, path: 'cas-and-prace', depth: 1 },
      { slug: '日本語', name: '日本語' },
    ]);
  });

  it.each([
    ['Age >18', 'Age <18', 'AGE  >18'],
    ['News 🇩🇪', 'News 🇫🇷', 'néws 🇩🇪'],
    ['★ x', '★★ x', '★ X'],
    ['#1', '1', '#1'],
    ['B-', 'b', 'b-'],
    ['Москва', 'Moskva', 'МОСКВА'],
  ])('keeps %s and %s apart, at once and later, and takes %s for the first', async (one, two, spelling) => {
    const { tag: first = [] } = await resolve({ tag: [one] });
    const { tag: both = [] } = await resolve({ tag: [one, two] });

    expect(both).toEqual([...first, expect.any(Number)]);
    expect(await resolve({ tag: [two, spelling] })).toEqual({ tag: [both[1], both[0]] });
    expect([...(await open.terms.byIds(both)).values()].map(({ name }) => name)).toEqual([one, two]);
  });

  it('keeps names apart that are new at once, however many there are', async () => {
    const tag = Array.from({ length: 14 }, (_, at) => `Many${'!'.repeat(at)} x`);

    expect(new Set((await resolve({ tag })).tag).size).toBe(14);
  });

  it('takes a number for the name of a tag only where it is a text', async () => {
    const { tag } = await resolve({ tag: ['20240101'] });

    expect(await resolve({ tag: [20240101] })).toEqual({ tag });
    expect(await faultsOf({ tag: [20240102] })).toEqual(['tag.0: term_not_found'].map((fault) => `terms.${fault}`));
  });

  it('reports every fault at once', async () => {
    const wanted = {
      category: ['nothing', 987_654, 'news', ''],
      tag: ['x'.repeat(256), 'a\nb', 'fine'],
      colour: ['red'],
    };

    expect(await faultsOf(wanted)).toEqual([
      'terms.category.3: required',
      'terms.tag.0: max_length',
      'terms.tag.1: pattern',
      'terms.colour: unknown',
      'terms.category.0: term_not_found',
      'terms.category.1: term_not_found',
    ]);
    expect(await open.terms.find('tag', 'fine')).toBeNull();
  });

  it('takes only taxonomies of the type', async () => {
    expect(await faultsOf({ tag: ['a'] }, ['category'])).toEqual(['terms.tag: unknown']);
    expect(await resolve({ tag: [], category: [] })).toEqual({ tag: [], category: [] });
  });

  it('takes the id of another taxonomy for nothing', async () => {
    const { tag = [] } = await resolve({ tag: ['other'] });

    expect(await faultsOf({ category: [tag[0] ?? 0] })).toEqual(['terms.category.0: term_not_found']);
  });

  it('takes 100 terms of one taxonomy and not 101', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `many ${at}`);

    expect((await resolve({ tag: names.slice(0, 100) })).tag).toHaveLength(100);
    expect(await faultsOf({ tag: names })).toEqual(['terms.tag: max_length']);
  });

  it('gives units that create the same tags together the same terms', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `together ${at}`);

    const resolved = await Promise.all(
      Array.from({ length: 12 }, (_, at) => resolve({ tag: at % 2 ? names : names.toReversed() })),
    );

    const sets = resolved.map(({ tag = [] }) => [...tag].sort().join());
    expect(new Set(sets).size).toBe(1);
    expect(resolved[0]?.tag).toHaveLength(5);
  });

  it('follows merged terms by id and by slug, until another term takes the slug', async () => {
    const { tag: [old = 0, target = 0] = [] } = await resolve({ tag: ['old', 'target'] });
    await open.terms.byIds([old]);
    await merge({ id: old, slug: 'old' }, 'tag', target);
    open.taxonomies.refresh();

    expect(await resolve({ tag: [old, 'old', 'Old'] })).toEqual({ tag: [target] });
    expect((await open.terms.byIds([old])).get(old)?.slug).toBe('target');
    expect((await open.terms.find('tag', 'old'))?.id).toBe(target);
  });

  it('finds what stands under a term', async () => {
    expect([...(await open.assignment.subtrees([news, world, 987_654]))]).toEqual([
      [news, [news, world]],
      [world, [world]],
    ]);
    expect(await open.assignment.subtrees([])).toEqual(new Map());
  });

  it('asks the same number of statements for one term and for a hundred', async () => {
    const count = async (names: readonly string[]): Promise<number> =>
      open.unitOfWork.run(async (manager) => {
        const query = jest.spyOn(manager, 'query');
        await open.assignment.resolve(manager, ['tag'], { tag: names });
        return query.mock.calls.length;
      });

    const one = await count(['single']);

    expect(await count(Array.from({ length: 100 }, (_, at) => `hundred ${at}`))).toBe(one);
  });
});
