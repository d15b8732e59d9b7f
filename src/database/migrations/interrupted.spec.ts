import type { MigrationInterface } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { dialectFor } from '../dialect/dialect-for.js';
import { migrate, MIGRATION_NAMES, rebuildTables } from '../schema/migrate.js';
import { Writer } from '../statements/writer.js';
import { RecordLocales1790000000050 } from './1790000000050-record-locales.js';
import { TermSlugs1790000000051 } from './1790000000051-term-slugs.js';
import { SessionAuthTime1790000000055 } from './1790000000055-session-auth-time.js';
import { RoleSources1790000000056 } from './1790000000056-role-sources.js';
import { ProviderSessions1790000000057 } from './1790000000057-provider-sessions.js';
import { AppSecret1790000000062 } from './1790000000062-app-secret.js';
import { GivenPasswords1790000000065 } from './1790000000065-given-passwords.js';
import { BoundIdentities1790000000072 } from './1790000000072-bound-identities.js';
import { Instances1790000000071 } from './1790000000071-instances.js';
import { FrozenTypes1790000000067 } from './1790000000067-frozen-types.js';
import { HeldRows1790000000066 } from './1790000000066-held-rows.js';
import { Leases1790000000070 } from './1790000000070-leases.js';

const DECOMPOSED = 'cafe\u0301';
const TAKEN = 'the\u0301';
/** In the future, so that what lies behind it does not depend on the clock. */
const WRITTEN_AT = 4_000_000_000_000;
const CHANGED = ['records', 'content_types', 'terms', 'term_redirects', 'taxonomies'];

/** The failure of every statement of a process that was killed. */
class Killed extends Error {}

/** A process, from its first connection to its last. */
async function withWriter<Result>(database: TestDatabase, work: (writer: Writer) => Promise<Result>): Promise<Result> {
  const writer = await Writer.open(dialectFor(database.address));
  try {
    return await work(writer);
  } finally {
    await writer.onApplicationShutdown();
  }
}

/** @returns how many statements it made */
function run(database: TestDatabase, migration: MigrationInterface, killedAfter = Infinity): Promise<number> {
  return withWriter(database, async ({ source, dialect }) => {
    const runner = source.createQueryRunner();
    let statements = 0;
    const query = runner.query.bind(runner) as (sql: string, values?: unknown[]) => Promise<unknown>;
    const counted = (sql: string, values?: unknown[]): Promise<unknown> => {
      statements += 1;
      return statements > killedAfter ? Promise.reject(new Killed()) : query(sql, values);
    };
    await dialect
      .exclusively(runner, () => migration.up(Object.assign(runner, { query: counted })))
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
    return statements;
  });
}

describe.each([
  ['canonical locales', new RecordLocales1790000000050()],
  ['composed slugs of terms', new TermSlugs1790000000051()],
])('The migration to %s', (_, migration) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await withWriter(database, (writer) => migrate(writer));
  });

  afterAll(() => database.drop());

  /** @param isTaken whether what a row is to become stands in another row already */
  const reset = (isTaken: boolean) =>
    withWriter(database, async ({ source }) => {
      for (const table of ['records', 'terms', 'term_redirects']) await source.query(`DELETE FROM ${table}`);
      for (const [id, locale, slug] of [
        [1, 'EN-gb', 'a'],
        [2, 'PT-br', 'a'],
        [3, 'PT-br', 'b'],
        ...(isTaken ? [[4, 'pt-BR', 'b']] : []),
      ]) {
        await source.query(
          `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at)
           VALUES (?, 1, ?, ?, 'x', 'x', 'draft', 1, 1, 1, 1, ?)`,
          [id, locale, slug, WRITTEN_AT],
        );
      }
      for (const [id, slug, path] of [
        [1, DECOMPOSED, DECOMPOSED],
        [2, 'bar', `${DECOMPOSED}/bar`],
        [3, TAKEN, TAKEN],
        ...(isTaken ? [[4, TAKEN.normalize('NFC'), TAKEN.normalize('NFC')]] : []),
        [5, 'green', `${TAKEN}/green`],
      ]) {
        await source.query(
          `INSERT INTO terms (id, taxonomy, slug, name, name_key, position, path, sort_key, depth, created_at, updated_at)
           VALUES (?, 'category', ?, 'x', 'x', 0, ?, 'x', 0, 1, 1)`,
          [id, slug, path],
        );
      }
      await source.query(
        `INSERT INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending) VALUES (9, 'category', '${DECOMPOSED}', 1, 0)`,
      );
      await source.query('UPDATE taxonomies SET terms_changed_at = 1');
      await source.query('UPDATE content_types SET updated_at = 1');
    });

  const rows = () =>
    withWriter(database, async ({ source }) => {
      const tables = CHANGED.map((table) => source.query<unknown[]>(`SELECT * FROM ${table} ORDER BY 1`));
      return JSON.stringify(await Promise.all(tables));
    });

  it.each([
    ['every row can be changed', false],
    ['a row has to stay as it is', true],
  ])('ends the same after an interruption at any statement, where %s', async (_case, isTaken) => {
    await reset(isTaken);
    const statements = await run(database, migration);
    const whole = await rows();

    for (let n = 0; n <= statements; n += 1) {
      await reset(isTaken);
      await run(database, migration, n);
      await run(database, migration);

      expect([n, await rows()]).toEqual([n, whole]);
    }

    expect(whole).toContain(String(WRITTEN_AT + 1));
  });
});

describe.each([
  ['times of sign-ins', new SessionAuthTime1790000000055(), 'auth_sessions'],
  ['sources of roles', new RoleSources1790000000056(), 'users'],
  ['sessions at providers', new ProviderSessions1790000000057(), 'auth_sessions'],
  ['a fingerprint of the secret', new AppSecret1790000000062(), 'app_secret'],
  ['times at which identities were bound', new BoundIdentities1790000000072(), 'auth_identities'],
  ['instances', new Instances1790000000071(), 'instances'],
  ['types that are frozen', new FrozenTypes1790000000067(), 'content_types'],
  ['holds of rows', new HeldRows1790000000066(), 'users'],
  ['leases', new Leases1790000000070(), 'leases'],
  ['times of given passwords', new GivenPasswords1790000000065(), 'users'],
])('The migration that adds %s', (_, migration, table) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Later migrations may change the table again.
    const count = MIGRATION_NAMES.indexOf(migration.constructor.name) + 1;
    await withWriter(database, (writer) => rebuildTables(writer, count));
  });

  afterAll(() => database.drop());

  const takeBack = () =>
    withWriter(database, ({ source, dialect }) => {
      const runner = source.createQueryRunner();
      return dialect.exclusively(runner, () => migration.down(runner));
    });
  /** Columns and indexes of its table; `null`: there is none. */
  const schema = () =>
    withWriter(database, async ({ source }) => {
      const found = await source.createQueryRunner().getTable(table);
      if (!found) return null;
      const columns = found.columns.map(({ name, type, isNullable, default: value }) => [
        name,
        type,
        isNullable,
        value,
      ]);
      const indices = found.indices.map(({ name, columnNames, isUnique }) => [name, columnNames, isUnique]);
      return { columns: columns.toSorted(), indices: indices.toSorted() };
    });

  it('ends the same after an interruption at any statement', async () => {
    const whole = await schema();
    await takeBack();
    expect(await schema()).not.toEqual(whole);
    const statements = await run(database, migration);
    expect(await schema()).toEqual(whole);

    for (let n = 0; n <= statements; n += 1) {
      await takeBack();
      await run(database, migration, n);
      await run(database, migration);

      expect([n, await schema()]).toEqual([n, whole]);
    }
  });
});
