import { Dialect } from '../../src/database/dialect/dialect.js';
import { execute, placeholders, select, type SqlValue } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { TermJobs } from '../../src/taxonomy/removal/term-jobs.js';
import { TermUsageHost } from '../../src/taxonomy/terms/term-usage.port.js';
import { stopMonotonicClock } from '../support/clock.js';
import { Gate } from '../support/gate.js';
import { twoOnSeveralWriters } from '../support/several-writers.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import type { TestApp } from '../support/test-app.js';

interface Term {
  readonly id: number;
  readonly slug: string;
}

describe('Terms that are removed on servers that all take writes', () => {
  let one: TestApp;
  let other: TestApp;
  const { path, aTerm, aRecord } = taxonomyRequests(() => one);

  beforeAll(async () => {
    [one, other] = await twoOnSeveralWriters();
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await other.close();
    await one.close();
  });

  const rows = <Row>(sql: string, values: SqlValue[] = []): Promise<Row[]> =>
    one.app.get(UnitOfWork).run((manager) => select<Row>(manager, sql, values));
  const run = (sql: string, values: readonly SqlValue[]): Promise<unknown> =>
    one.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));

  const redirects = (termId: number) =>
    rows<{ into_id: number | null }>('SELECT into_id, is_pending FROM term_redirects WHERE term_id = ?', [termId]);
  const sweep = () => other.app.get(TermJobs).sweep();
  /** As if the minute were over. */
  const letTimePass = () => run('UPDATE term_redirects SET sweep_at = 1 WHERE sweep_at > 0', []);
  const remove = ({ id }: Term) =>
    one
      .http()
      .delete(`${path('tag')}/${id}?force=true`)
      .expect(204);

  /** Stops an instance before it takes a term away from records. */
  function held({ app }: TestApp): { readonly begun: Gate; readonly go: Gate } {
    const [begun, go] = [new Gate(), new Gate()];
    const usage = app.get(TermUsageHost).get();
    const replace = usage.replace.bind(usage);
    jest.spyOn(usage, 'replace').mockImplementation(async (...by) => {
      begun.open();
      await go.opened;
      await replace(...by);
    });
    return { begun, go };
  }

  const tag = (name: string): Promise<Term> => aTerm('tag', name);

  /** A record that takes a term as on another server at the moment of its removal: the term is there for it alone. */
  async function aLateRecord(term: Term, remaining: readonly Term[] = []): Promise<number> {
    const columns = ['id', 'taxonomy', 'slug', 'name', 'name_key', 'path', 'sort_key', 'depth', 'position'];
    const values = [term.id, 'tag', term.slug, term.slug, term.slug, term.slug, `0 ${term.slug}!`, 1, 0, 1, 1];
    await run(
      `INSERT INTO terms (${columns.join(', ')}, created_at, updated_at) VALUES (${placeholders(values)})`,
      values,
    );
    const id = await aRecord({ tag: [term.id, ...remaining.map((one) => one.id)] });
    await run('DELETE FROM terms WHERE id = ?', [term.id]);
    return id;
  }

  const holders = async (termId: number): Promise<number> => {
    const [row] = await rows<{ n: number }>('SELECT COUNT(*) AS n FROM record_fields WHERE field_id = 0 AND num = ?', [
      termId,
    ]);
    return Number(row?.n);
  };

  /** What counters and the changes that wait for them say together. */
  async function counted(termId: number): Promise<number> {
    const [row] = await rows<{ n: number | string }>(
      `SELECT COALESCE((SELECT SUM(n) FROM term_counts WHERE term_id = ?), 0)
            + COALESCE((SELECT SUM(d) FROM record_deltas WHERE term_id = ?), 0) AS n`,
      [termId, termId],
    );
    return Number(row?.n);
  }

  /** The ids of terms in the contents of a record, its version, and how many revisions it has. */
  async function state(id: number): Promise<readonly [unknown, unknown, number]> {
    const [contents] = await rows<{ terms: string }>('SELECT terms FROM record_contents WHERE record_id = ?', [id]);
    const { body } = await one.http().get(`/api/cms/post/${id}`).expect(200);
    const revisions = await rows('SELECT ts FROM revisions WHERE record_id = ?', [id]);
    return [JSON.parse(contents?.terms ?? '{}'), body.data.version, revisions.length];
  }

  it('leave a record that took it at the moment of its deletion', async () => {
    const [gone, kept] = [await tag('gone'), await tag('kept')];
    const early = await aRecord({ tag: [gone.id, kept.id] });
    await remove(gone);
    const late = await aLateRecord(gone, [kept]);
    expect([await holders(gone.id), await counted(gone.id)]).toEqual([1, 1]);

    await sweep();
    expect(await holders(gone.id)).toBe(1);
    await letTimePass();
    await sweep();

    expect([await holders(gone.id), await counted(gone.id), await counted(kept.id)]).toEqual([0, 0, 2]);
    for (const id of [early, late]) expect(await state(id)).toEqual([{ tag: [kept.id] }, 2, 2]);
    expect(await redirects(gone.id)).toEqual([]);
  });

  it('leave a record that took one which no record had when it was deleted', async () => {
    const gone = await tag('unheld');
    await one
      .http()
      .delete(`${path('tag')}/${gone.id}`)
      .expect(204);
    const late = await aLateRecord(gone);

    await letTimePass();
    await sweep();

    expect([await holders(gone.id), await counted(gone.id)]).toEqual([0, 0]);
    expect(await state(late)).toEqual([{}, 2, 2]);
    expect(await redirects(gone.id)).toEqual([]);
    await one
      .http()
      .delete(`${path('tag')}/${gone.id}`)
      .expect(404);
  });

  it('give such a record the one that it was merged into, wherever that went since', async () => {
    const [gone, into, last] = [await tag('merged'), await tag('into'), await tag('last')];
    const merge = (from: Term, to: Term) =>
      one
        .http()
        .post(`${path('tag')}/${from.id}/merge`)
        .send({ into: to.id })
        .expect(200);
    await merge(gone, into);
    const late = await aLateRecord(gone);
    await merge(into, last);
    const later = await aLateRecord(into);

    await letTimePass();
    await sweep();

    for (const id of [late, later]) expect(await state(id)).toEqual([{ tag: [last.id] }, 2, 2]);
    expect([await counted(gone.id), await counted(into.id), await counted(last.id)]).toEqual([0, 0, 2]);
    expect(await redirects(gone.id)).toEqual([{ into_id: last.id, is_pending: 0 }]);
  });

  it('leave such a record where what it was merged into was deleted since', async () => {
    const [gone, into] = [await tag('first'), await tag('second')];
    await one
      .http()
      .post(`${path('tag')}/${gone.id}/merge`)
      .send({ into: into.id })
      .expect(200);
    const late = await aLateRecord(gone);
    await remove(into);

    await letTimePass();
    await sweep();

    expect(await state(late)).toEqual([{}, 2, 2]);
    expect([await holders(gone.id), await counted(gone.id), await counted(into.id)]).toEqual([0, 0, 0]);
    expect([...(await redirects(gone.id)), ...(await redirects(into.id))]).toEqual([]);
  });

  it('leave it by a sweep that goes on where it was interrupted', async () => {
    const gone = await tag('interrupted');
    await remove(gone);
    const late = await aLateRecord(gone);
    await letTimePass();
    const usage = other.app.get(TermUsageHost).get();
    jest.spyOn(usage, 'replace').mockRejectedValueOnce(new Error('The power fails.'));
    await expect(sweep()).rejects.toThrow('The power fails.');
    expect(await holders(gone.id)).toBe(1);

    await one.app.get(TermJobs).resume();

    expect(await state(late)).toEqual([{}, 2, 2]);
    expect(await redirects(gone.id)).toEqual([]);
  });

  it('stay pending for a sweep that begins while the removal still goes on', async () => {
    const gone = await tag('slow');
    await aRecord({ tag: [gone.id] });
    const [removal, sweeping] = [held(one), held(other)];
    const removed = Promise.resolve(remove(gone).then((answer) => answer));
    await removal.begun.opened;
    await letTimePass();
    const swept = sweep();
    await sweeping.begun.opened;

    removal.go.open();
    await removed;

    expect(await redirects(gone.id)).toEqual([{ into_id: null, is_pending: 1 }]);
    sweeping.go.open();
    await swept;
    expect(await redirects(gone.id)).toEqual([]);
  });

  it('hold up no other removal where one fails again and again, and are tried again later', async () => {
    const pass = stopMonotonicClock();
    const terms = [await tag('before'), await tag('stuck'), await tag('behind')];
    const [before, stuck, behind] = terms.map(({ id }) => id);
    const add = 'INSERT INTO term_redirects (term_id, taxonomy, slug, is_pending, sweep_at) VALUES (?, ?, ?, 1, ?)';
    for (const { id, slug } of terms) {
      await run('DELETE FROM terms WHERE id = ?', [id]);
      await run(add, [id, 'tag', slug, 0]);
    }
    const usage = other.app.get(TermUsageHost).get();
    const tried: number[] = [];
    jest.spyOn(usage, 'replace').mockImplementation((id) => {
      tried.push(id);
      return id === stuck ? Promise.reject(new Error('It fails.')) : Promise.resolve();
    });
    const resume = () => other.app.get(TermJobs).resume();

    await expect(resume()).rejects.toThrow('It fails.');
    await resume();

    expect(tried).toEqual([behind, stuck, before]);
    pass(30_000);
    await expect(resume()).rejects.toThrow('It fails.');
    expect(tried.slice(3)).toEqual([stuck]);
    await run('UPDATE term_redirects SET is_pending = 0, sweep_at = 1 WHERE term_id = ?', [stuck ?? 0]);
    await run(add, [before ?? 0, 'tag', 'before', 2]);
    await expect(sweep()).rejects.toThrow('It fails.');
    expect(tried.slice(4)).toEqual([stuck, before]);
    await run('DELETE FROM term_redirects WHERE term_id = ?', [stuck ?? 0]);
  });

  it('are not swept on one server', async () => {
    jest.replaceProperty(one.app.get(Dialect), 'hasSeveralWriters', false);
    const [gone, into, unheld] = [await tag('alone'), await tag('together'), await tag('unheld-alone')];
    await aRecord({ tag: [gone.id] });

    await one
      .http()
      .post(`${path('tag')}/${gone.id}/merge`)
      .send({ into: into.id })
      .expect(200);
    await remove(unheld);

    expect(await rows('SELECT term_id FROM term_redirects WHERE sweep_at > 0')).toEqual([]);
    expect(await redirects(unheld.id)).toEqual([]);
  });
});
