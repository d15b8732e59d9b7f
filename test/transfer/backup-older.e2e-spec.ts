import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import { MIGRATION_NAMES, rebuildTables } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
import { digestOf } from '../../src/transfer/backup/digest.js';
import { TableDigester } from '../../src/transfer/backup/table-digester.js';
import type { TableLayout } from '../../src/transfer/backup/table-layout.js';
import { runner } from '../support/cli-runner.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, createTestFile } from '../support/test-database.js';
import { typeRequests } from '../support/type-requests.js';

/** As many migrations as the first release had. */
const FIRST_RELEASE = 4;

/** Names of the columns that each table had then. */
async function columnsThen(): Promise<Map<string, ReadonlySet<string>>> {
  const database = createTestFile();
  const writer = await Writer.open(dialectFor(database.address));
  await rebuildTables(writer, FIRST_RELEASE);
  const runnerThen = writer.source.createQueryRunner();
  const found = new Map<string, ReadonlySet<string>>();
  for (const { tableName } of writer.source.entityMetadatas) {
    const table = await runnerThen.getTable(tableName);
    if (table) found.set(tableName, new Set(table.columns.map(({ name }) => name)));
  }
  await writer.source.destroy();
  await database.drop();
  return found;
}

interface Section {
  readonly layout: TableLayout;
  readonly rows: readonly unknown[][];
}

function sectionsIn(lines: readonly string[], layouts: readonly TableLayout[]): Section[] {
  return layouts.map((layout) => {
    const start = lines.indexOf(JSON.stringify({ table: layout.name })) + 1;
    const length = lines.slice(start).findIndex((line) => !line.startsWith('['));
    return { layout, rows: lines.slice(start, start + length).map((line) => JSON.parse(line) as unknown[]) };
  });
}

function sectionThen({ layout, rows }: Section, columns: ReadonlySet<string>): Section {
  const isThere = layout.columns.map(({ name }) => columns.has(name));
  return {
    layout: { ...layout, columns: layout.columns.filter((_, index) => isThere[index]) },
    rows: rows.map((row) => row.filter((_, index) => isThere[index])),
  };
}

/** What the first release would have written of the same content. */
async function asOfFirstRelease(file: string): Promise<Buffer> {
  const [first = '', ...lines] = gunzipSync(readFileSync(file)).toString().split('\n');
  const header = JSON.parse(first) as { tables: TableLayout[] };
  const then = await columnsThen();
  const sections = sectionsIn(lines, header.tables).flatMap((section) => {
    const columns = then.get(section.layout.name);
    return columns ? [sectionThen(section, columns)] : [];
  });
  const content: unknown[] = [
    { ...header, migrations: MIGRATION_NAMES.slice(0, FIRST_RELEASE), tables: sections.map(({ layout }) => layout) },
  ];
  const digests = sections.map(({ layout, rows }) => {
    const digester = new TableDigester(layout);
    content.push({ table: layout.name }, ...rows);
    digester.add(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), rows.length);
    return digester.digest();
  });
  content.push({ digest: digestOf(digests) });
  return gzipSync(content.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

describe('A backup of an older version', () => {
  it('is restored into the tables of its time, which are then brought up to date', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-backup-'));
    const [now, then] = [join(folder, 'now'), join(folder, 'then')];
    const service = await startTestApp();
    const id = await typeRequests(() => service).aRecord('post', { title: 'From the beginning', body: 'Once' });
    await runner({ DATABASE_URL: service.database.url })(['backup', now]);
    await service.close();
    const target = await createTestDatabase();
    const run = runner({ DATABASE_URL: target.url });
    writeFileSync(then, await asOfFirstRelease(now));

    expect(await run(['restore', then, '--verify'])).toMatchObject({ code: 0 });

    const restored = await startTestApp({ DATABASE_URL: target.url });
    const { body } = await restored.http().get(`/api/cms/post/${id}`).expect(200);
    expect(body.data).toMatchObject({ title: 'From the beginning', body: 'Once' });
    await typeRequests(() => restored).aRecord('post', { title: 'And on it goes' });
    await restored.close();
    expect((await run('doctor')).out).toMatch(/^ok +migrations/m);
    await target.drop();
    rmSync(folder, { recursive: true });
  });
});
