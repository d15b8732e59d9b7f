import type { Response } from 'supertest';
import { setTimeout as sleep } from 'node:timers/promises';
import { TypeCopies } from '../../src/content-types/changes/type-copies.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { execute, select, type SqlValue } from '../../src/database/statements/statement.js';
import { EarlierUnits } from '../../src/database/units/earlier-units.js';
import { Freezes } from '../../src/database/units/freezes.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { TermCopies } from '../../src/taxonomy/term-copies.js';
import { expectError } from '../support/errors.js';
import { Gate } from '../support/gate.js';
import { twoOnSeveralWriters } from '../support/several-writers.js';
import { statementsDuring } from '../support/statements.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import type { TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

describe('Instances on servers that all take writes', () => {
  let one: TestApp;
  let other: TestApp;
  let statements: string[];
  /** Until it is opened, units of work are under way that met a row before it was frozen. */
  let earlier: Gate;
  const { aTypeWith, aRecord: aRecordOf } = typeRequests(() => one);
  const { aTaxonomy, aTerm } = taxonomyRequests(() => one);

  beforeAll(async () => {
    [one, other] = await twoOnSeveralWriters();
    statements = statementsDuring(one);
  });

  beforeEach(() => {
    earlier = new Gate();
    jest.spyOn(one.app.get(EarlierUnits), 'ended').mockImplementation(() => earlier.opened);
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
  const begun = (request: PromiseLike<Response>): Promise<Response> => Promise.resolve(request.then((done) => done));

  async function frozenUntil(table: string, name: string): Promise<number> {
    const [row] = await rows<{ until: number | string }>(`SELECT frozen_until AS until FROM ${table} WHERE name = ?`, [
      name,
    ]);
    return Number(row?.until ?? 0);
  }

  async function frozen(table: string, name: string): Promise<void> {
    while ((await frozenUntil(table, name)) === 0) await sleep(20);
  }

  describe('that remove a taxonomy', () => {
    const remove = (name: string, confirm = name): Promise<Response> =>
      begun(one.http().delete(`/api/admin/taxonomies/${name}?confirm=${confirm}`));
    const declare = (name: string, taxonomies: readonly string[]) =>
      other.http().post('/api/admin/types').send({ name, taxonomies, fields: [] });

    it('keep it from types and terms until it is gone, as overloaded', async () => {
      const name = await aTaxonomy();
      await aTerm(name, 'There before');
      await declare('present', []).expect(201);
      await other.http().get(`/api/cms/taxonomy/${name}`).expect(200);

      const removal = remove(name);
      await frozen('taxonomies', name);
      const refused = [
        await declare('fresh', [name]),
        await other
          .http()
          .put('/api/admin/types/present')
          .send({ taxonomies: [name] }),
        await other.http().post('/api/cms/taxonomy').send({ type: name, name: 'Fresh' }),
      ];
      earlier.open();

      for (const answer of refused) {
        expectError(answer, 'overloaded');
        expect(answer.headers['retry-after']).toBe('1');
      }
      expect((await removal).status).toBe(204);
      const late = await declare('fresh', [name]);
      expectError(late, 'validation_failed');
      // By what it remembers of taxonomies for a second, or by the database.
      expect(faultsOf(late)).toEqual([expect.stringMatching(/^taxonomies(\.0)?: taxonomy_not_found$/)]);
      expect(await rows('SELECT id FROM terms WHERE taxonomy = ?', [name])).toEqual([]);
    });

    it('leave it to a type that has taken it meanwhile, and to all others at once', async () => {
      const name = await aTaxonomy();

      const removal = remove(name);
      await frozen('taxonomies', name);
      // As one does that met the taxonomy on another server before it was frozen.
      await run('INSERT INTO content_types (name, options, version, created_at, updated_at) VALUES (?, ?, 1, 1, 1)', [
        'early',
        JSON.stringify({
          label: 'Early',
          label_plural: 'Early',
          description: '',
          taxonomies: [name],
          url_path: '/early/{slug}',
          sitemap: false,
          revisions: { keep: 10 },
        }),
      ]);
      earlier.open();

      expectError(await removal, 'taxonomy_in_use');
      expect(await frozenUntil('taxonomies', name)).toBe(0);
      await other.http().get(`/api/cms/taxonomy/${name}`).expect(200);
      await declare('next', [name]).expect(201);
    });

    it('leave it where it was not frozen all the time, since another change has thawed it', async () => {
      const name = await aTaxonomy();

      const removal = remove(name);
      await frozen('taxonomies', name);
      await run('UPDATE taxonomies SET frozen_until = 0 WHERE name = ?', [name]);
      earlier.open();

      expectError(await removal, 'overloaded');
      await one.http().get(`/api/admin/taxonomies/${name}`).expect(200);
    });

    it('keep nothing away where it cannot be removed anyway', async () => {
      const [used, filled] = [await aTaxonomy(), await aTaxonomy()];
      await other.http().get(`/api/cms/taxonomy/${used}`).expect(200);
      await declare('user', [used]).expect(201);
      await aTerm(filled, 'A term');
      statements.length = 0;

      expectError(await remove(used), 'taxonomy_in_use');
      expectError(await remove(filled, ''), 'taxonomy_not_empty');

      expect(statements.filter((sql) => sql.includes('frozen_until'))).toEqual([]);
    });

    it('keep the terms of an import from it, which finds out that it is gone', async () => {
      const name = await aTaxonomy();
      const at = '2026-01-01T00:00:00.000Z';
      const term = { id: 900_001, taxonomy: name, slug: 'taken', name: 'Taken', description: null, parent_id: null };
      const take = () =>
        other.app.get(TermCopies).take([{ ...term, position: 0, created_at: at, updated_at: at }], {
          taxonomies: new Set([name]),
          unusedFrom: 1,
          isDryRun: false,
          ids: new Map(),
        });

      const removal = remove(name);
      await frozen('taxonomies', name);
      await expect(take()).rejects.toMatchObject({ error: 'overloaded' });
      earlier.open();

      expect((await removal).status).toBe(204);
      expect(await take()).toEqual([
        { result: 'refused', taxonomy: name, faults: [expect.objectContaining({ rule: 'unknown' })] },
      ]);
      expect(await rows('SELECT id FROM terms WHERE taxonomy = ?', [name])).toEqual([]);
    });

    it('hold the tree that a term comes to under another one', async () => {
      const name = await aTaxonomy();
      const { id } = await aTerm(name, 'Above');
      const held: string[] = [];
      const dialect = one.app.get(Dialect);
      const hold = dialect.hold.bind(dialect);
      jest.spyOn(dialect, 'hold').mockImplementation((manager, table, which) => {
        held.push(table);
        return hold(manager, table, which);
      });

      await aTerm(name, 'Beside');
      expect(held).toEqual([]);
      await aTerm(name, 'Below', { parent_id: id });

      expect(held).toEqual(['taxonomies']);
    });
  });

  describe('that change a type', () => {
    const change = (name: string, body: object, confirm = ''): Promise<Response> =>
      begun(one.http().put(`/api/admin/types/${name}?confirm=${confirm}`).send(body));

    it('keep the first record of one without records away while it loses a field', async () => {
      const name = await aTypeWith([{ name: 'a', type: 'string', indexed: true }]);
      expect((await other.http().get(`/api/cms/${name}`)).body.meta.total).toBe(0);

      const changed = change(name, { fields: [] });
      await frozen('content_types', name);
      const first = await other.http().post(`/api/cms/${name}`).send({ title: 'First', a: 'a value' });
      earlier.open();

      expectError(first, 'overloaded');
      expect(first.headers['retry-after']).toBe('1');
      expect((await changed).status).toBe(200);
      const later = await other.http().post(`/api/cms/${name}`).send({ title: 'First', a: 'a value' });
      expect(faultsOf(later)).toEqual(['a: unknown']);
    });

    it('see the first record that was written at the moment of the change', async () => {
      const name = await aTypeWith([{ name: 'a', type: 'string' }]);

      const changed = change(name, { fields: [{ name: 'a', type: 'integer' }] });
      await frozen('content_types', name);
      // As a unit of work does that met the type on another server before it was frozen.
      jest.replaceProperty(other.app.get(Dialect), 'hasSeveralWriters', false);
      await other.http().post(`/api/cms/${name}`).send({ title: 'First', a: 'a value' }).expect(201);
      earlier.open();

      const answer = await changed;
      expectError(answer, 'validation_failed');
      expect(faultsOf(answer)).toEqual(['fields.0.type: kind']);
      expect(await frozenUntil('content_types', name)).toBe(0);
    });

    it('keep records away while a type gives up a taxonomy, though the loss is confirmed', async () => {
      const taxonomy = await aTaxonomy(false);
      const name = await aTypeWith([]);
      await one
        .http()
        .put(`/api/admin/types/${name}`)
        .send({ taxonomies: [taxonomy] })
        .expect(200);
      await aRecordOf(name, { terms: { [taxonomy]: ['red'] } });
      const around = jest.spyOn(one.app.get(Freezes), 'around');
      earlier.open();

      expect((await change(name, { taxonomies: [] }, name)).status).toBe(200);

      expect(around).toHaveBeenCalledTimes(1);
      expect(await rows('SELECT record_id FROM record_fields WHERE str = ?', [taxonomy])).toEqual([]);
    });

    it('keep the first record of each away that an import takes over, and wait once for all of them', async () => {
      const names = [await aTypeWith([]), await aTypeWith([]), await aTypeWith([])];
      const at = '2026-01-01T00:00:00.000Z';
      const copies = names.map((name, n) => {
        const field = { id: `f_zzz${n}`, name: 'a', type: 'string' };
        return { name, fields: [field], version: 3, created_at: at, updated_at: at };
      });
      for (const name of names) expect((await other.http().get(`/api/cms/${name}`)).body.meta.total).toBe(0);

      const taking = one.app.get(TypeCopies).take(copies, { taxonomies: [], unusedFrom: 1, isDryRun: false });
      for (const name of names) await frozen('content_types', name);
      for (const name of names) {
        expectError(await other.http().post(`/api/cms/${name}`).send({ title: 'First' }), 'overloaded');
      }
      earlier.open();

      expect(await taking).toEqual(names.map((name) => expect.objectContaining({ name, result: 'taken_over' })));
      for (const name of names) {
        expect(await frozenUntil('content_types', name)).toBe(0);
        await other.http().post(`/api/cms/${name}`).send({ title: 'First', a: 'a value' }).expect(201);
      }
    });

    it('take no type over where one was not frozen all the time', async () => {
      const names = [await aTypeWith([]), await aTypeWith([])];
      const at = '2026-01-01T00:00:00.000Z';
      const copies = names.map((name) => ({ name, fields: [], version: 3, created_at: at, updated_at: at }));

      const taking = one.app.get(TypeCopies).take(copies, { taxonomies: [], unusedFrom: 1, isDryRun: false });
      const refused = expect(taking).rejects.toMatchObject({ error: 'overloaded' });
      for (const name of names) await frozen('content_types', name);
      await run('UPDATE content_types SET frozen_until = 0 WHERE name = ?', [names[1] ?? '']);
      earlier.open();

      await refused;
      for (const name of names) expect(await frozenUntil('content_types', name)).toBe(0);
    });

    it('keep nothing away for what no record suffers from', async () => {
      const name = await aTypeWith([{ name: 'a', type: 'string', max_length: 10 }]);
      await aRecordOf(name, { a: 'a value' });
      const around = jest.spyOn(one.app.get(Freezes), 'around');
      const field = { name: 'a', type: 'string', max_length: 10 };

      expect((await change(name, { label: 'Another label' })).status).toBe(200);
      expect((await change(name, { fields: [field, { name: 'b', type: 'string' }] })).status).toBe(200);

      expect(around).not.toHaveBeenCalled();
    });
  });
});
