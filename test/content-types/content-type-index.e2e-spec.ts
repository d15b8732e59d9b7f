import type { Response } from 'supertest';
import { AuditedUnits } from '../../src/audit/audited-units.js';
import { Clock } from '../../src/common/clock.js';
import { SERVICE } from '../../src/common/access/caller.js';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import type { CompiledType } from '../../src/content-types/definition/content-type.js';
import { IndexBuilder } from '../../src/content-types/changes/index-builder.js';
import { IndexWork } from '../../src/content-types/changes/index-work.js';
import { TypeRemoval } from '../../src/content-types/changes/type-removal.js';
import { BUILDER_LEASE_MS } from '../../src/content-types/store/field-store.js';
import { TypeStore } from '../../src/content-types/store/type-store.js';
import { TypeUsageHost } from '../../src/content-types/store/type-usage.port.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute, select } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface FieldRow {
  readonly id: number;
  readonly options: string;
}

describe('The side index of a field', () => {
  let service: TestApp;
  let lastType = 0;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  async function aTypeWith(field: object): Promise<string> {
    const name = `kind-${++lastType}`;
    await service
      .http()
      .post('/api/admin/types')
      .send({ name, fields: [field] })
      .expect(201);
    return name;
  }

  async function records(type: string, n: number, valueOf: (at: number) => unknown): Promise<number[]> {
    const ids: number[] = [];
    for (let at = 0; at < n; at += 1) {
      const { body } = await service
        .http()
        .post(`/api/cms/${type}`)
        .send({ title: 'x', a: valueOf(at) });
      ids.push(body.data.id);
    }
    return ids;
  }

  const change = (type: string, fields: object[]) => service.http().put(`/api/admin/types/${type}`).send({ fields });

  const typeNamed = (name: string): Promise<CompiledType> => {
    service.app.get(ContentTypesService).refresh();
    return service.app.get(ContentTypesService).require(name);
  };

  /** What a process leaves behind that is killed while it fills the index. */
  async function leaveUnfinished(name: string, rules: object, builder: string): Promise<{ id: number; key: number }> {
    const { id, fields } = await typeNamed(name);
    const key = fields[0]?.key ?? 0;
    await service.app.get(UnitOfWork).run(async (manager) => {
      const [row] = await select<FieldRow>(manager, 'SELECT id, options FROM content_fields WHERE id = ?', [key]);
      const options = { ...(JSON.parse(row?.options ?? '{}') as object), ...rules, builder };
      await execute(manager, 'UPDATE content_fields SET options = ? WHERE id = ?', [JSON.stringify(options), key]);
      await execute(manager, 'UPDATE content_types SET version = version + 1 WHERE id = ?', [id]);
    });
    return { id, key };
  }

  /** Values in the index and in the records, which have to be the same. */
  async function indexed(name: string): Promise<{ index: unknown[]; kept: unknown[] }> {
    const type = await typeNamed(name);
    const reads = service.app.get(Reads);
    const index = await reads.select<{ id: number; num: number | null }>(
      'SELECT record_id AS id, num FROM record_fields WHERE field_id = ? ORDER BY record_id',
      [type.fields[0]?.key ?? 0],
    );
    const rows = await reads.select<{ id: number; data: string }>(
      'SELECT r.id, c.data FROM records r JOIN record_contents c ON c.record_id = r.id WHERE r.type_id = ? AND r.trashed_at = 0 ORDER BY r.id',
      [type.id],
    );
    const kept = rows.map(({ id, data }) => [id, JSON.parse(data)[type.fields[0]?.id ?? ''] ?? null]);
    return { index: index.map(({ id, num }) => [id, num]), kept };
  }

  it('holds every record after it was filled while records were written', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    const ids = await records(name, 60, (at) => at);
    const writes = ids.flatMap((id, at) => [
      () =>
        at % 7 === 0
          ? service.http().delete(`/api/cms/${name}/${id}`)
          : service
              .http()
              .put(`/api/cms/${name}/${id}`)
              .send({ a: 1_000 + at }),
      () =>
        service
          .http()
          .post(`/api/cms/${name}`)
          .send({ title: 'x', a: -at - 1 }),
    ]);
    const written: Response[] = [];
    const writer = async (): Promise<void> => {
      for (let write = writes.shift(); write; write = writes.shift()) written.push(await write());
    };

    const [changed] = await Promise.all([
      change(name, [{ name: 'a', type: 'integer', indexed: true, unique: true }]),
      ...Array.from({ length: 12 }, writer),
    ]);

    expect(changed.status).toBe(200);
    expect(written.filter(({ status }) => status >= 300).map(({ status, body }) => ({ status, body }))).toEqual([]);
    const { index, kept } = await indexed(name);
    expect(kept).toHaveLength(60 + 60 - 9);
    expect(index).toEqual(kept);
  });

  it('is filled in more than one batch', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    const { id } = await typeNamed(name);
    await service.app.get(UnitOfWork).run(async (manager) => {
      for (let at = 0; at < 1_100; at += 1) {
        const { insertId } = await execute(
          manager,
          `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at)
           VALUES (?, 'en', ?, 'x', 'x', 'draft', 1, 1, 1, 1, 1)`,
          [id, `x-${at}`],
        );
        await execute(manager, `INSERT INTO record_contents (record_id, data) VALUES (?, '{}')`, [insertId]);
      }
    });

    await change(name, [{ name: 'a', type: 'integer', indexed: true }]).expect(200);

    const { index, kept } = await indexed(name);
    expect(kept).toHaveLength(1_100);
    expect(index).toEqual(kept);
  });

  it('is filled after the next start when the service was stopped', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    await records(name, 3, (at) => at);
    await leaveUnfinished(name, { indexed: true }, 'gone');

    expect((await typeNamed(name)).fields[0]?.building).toBe(true);
    const answer = await service.http().get(`/api/admin/types/${name}`);
    expect(answer.body.data.fields[0].building).toBe(true);
    await service.app.get(IndexWork).resumeExpired();

    expect((await typeNamed(name)).fields[0]).not.toHaveProperty('building');
    const { index, kept } = await indexed(name);
    expect(index).toEqual(kept);
  });

  it('is filled by the next try when a failure ended the change that was already made', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    await records(name, 3, (at) => at);
    const isServer = !service.app.get(Dialect).hasOneWriter;
    const refuse = isServer ? `FOR EACH ROW SIGNAL SQLSTATE '45000'` : `BEGIN SELECT RAISE(ABORT, 'refused'); END`;
    const run = (sql: string) => service.app.get(UnitOfWork).run((manager) => execute(manager, sql));
    await run(`CREATE TRIGGER refuse_rows BEFORE INSERT ON record_fields ${refuse}`);
    await change(name, [{ name: 'a', type: 'integer', indexed: true }]);
    await run('DROP TRIGGER refuse_rows');
    expect((await typeNamed(name)).fields[0]?.building).toBe(true);

    const later = Date.now() + BUILDER_LEASE_MS + 1;
    const clock = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(later);
    await service.app.get(IndexWork).resumeExpired();
    clock.mockRestore();

    expect((await typeNamed(name)).fields[0]).not.toHaveProperty('building');
    const { index, kept } = await indexed(name);
    expect(kept).toHaveLength(3);
    expect(index).toEqual(kept);
  });

  it('is left alone by a builder from whom another one has taken it over', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    await records(name, 3, (at) => at);
    const { id, key } = await leaveUnfinished(name, { indexed: true }, 'second');

    await service.app.get(IndexBuilder).build({ typeId: id, fieldKey: key, builder: 'first', isNew: false });

    expect((await typeNamed(name)).fields[0]?.building).toBe(true);
    expect((await indexed(name)).index).toEqual([]);
  });

  it.each([
    ['stays indexed', true, 2],
    ['is not indexed either', false, 0],
  ])('is not unique when values turn out to repeat: the field %s', async (_, isIndexed, rows) => {
    const name = await aTypeWith({ name: 'a', type: 'integer' });
    await records(name, 2, () => 7);
    const { id, key } = await leaveUnfinished(name, { indexed: isIndexed, unique: true }, 'me');

    const building = service.app.get(IndexBuilder).build({ typeId: id, fieldKey: key, builder: 'me', isNew: false });

    await expect(building).rejects.toMatchObject({ error: 'type_in_use' });
    const [field] = (await typeNamed(name)).fields;
    expect([field?.unique, field?.indexed, field?.building]).toEqual([false, isIndexed, undefined]);
    expect((await indexed(name)).index).toHaveLength(rows);
  });

  it('goes with the records of a type whose deletion was interrupted', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer', indexed: true });
    await records(name, 3, (at) => at);
    const type = await typeNamed(name);
    const { app } = service;
    const stopped = new TypeRemoval(
      app.get(UnitOfWork),
      app.get(TypeStore),
      app.get(ContentTypesService),
      app.get(TypeUsageHost),
      app.get(AuditedUnits),
    );
    stopped.stop();
    await stopped.remove(type, { confirm: name, caller: SERVICE });
    const left = (): Promise<unknown[]> =>
      service.app.get(Reads).select('SELECT id FROM records WHERE type_id = ?', [type.id]);
    expect(await left()).toHaveLength(3);

    await app.get(TypeRemoval).resume();

    expect(await left()).toEqual([]);
  });

  it('stays with the records of a type that was not deleted, but lost', async () => {
    const name = await aTypeWith({ name: 'a', type: 'integer', indexed: true });
    await records(name, 3, (at) => at);
    const { id } = await typeNamed(name);
    const { app } = service;
    await app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM content_types WHERE id = ?', [id]));

    await app.get(TypeRemoval).resume();

    expect(await app.get(Reads).select('SELECT id FROM records WHERE type_id = ?', [id])).toHaveLength(3);
  });
});
