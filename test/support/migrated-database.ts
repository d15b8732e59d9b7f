import { readFileSync, writeFileSync } from 'node:fs';
import mysql, { type TypeCast } from 'mysql2/promise';
import { dialectFor } from '../../src/database/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Fills an empty database with what the migrations leave. */
type Fill = (database: TestDatabase) => Promise<void>;

let copied: Promise<Fill> | undefined;

/** A database with the tables of this version, as the migrations leave them: they run once in a process, and the result is copied. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  copied ??= copyOfMigrated();
  const [fill, database] = [await copied, await createTestDatabase()];
  await fill(database);
  return database;
}

async function copyOfMigrated(): Promise<Fill> {
  const template = await createTestDatabase();
  try {
    const writer = await Writer.open(dialectFor(template.address));
    await migrate(writer);
    await writer.onApplicationShutdown();
    return template.address.kind === 'sqlite' ? copyOfFile(template.address.file) : await copyOnServer(template.url);
  } finally {
    await template.drop();
  }
}

function copyOfFile(file: string): Fill {
  const content = readFileSync(file);
  return ({ address }) => {
    if (address.kind === 'sqlite') writeFileSync(address.file, content);
    return Promise.resolve();
  };
}

async function copyOnServer(url: string): Promise<Fill> {
  const connection = await mysql.createConnection(url);
  // A number that is written as bytes is another number to MySQL.
  const typeCast: TypeCast = (field) => (field.type.endsWith('BLOB') ? field.buffer() : field.string());
  const rowsOf = async (sql: string): Promise<(Buffer | string | null)[][]> => {
    const [rows] = await connection.query({ sql, rowsAsArray: true, typeCast });
    return rows as unknown as (Buffer | string | null)[][]; // as these two options have it
  };
  const textsOf = async (sql: string, column: number): Promise<string[]> =>
    (await rowsOf(sql)).map((row) => String(row[column]));
  const statements = ['SET FOREIGN_KEY_CHECKS = 0'];
  const triggers = await textsOf('SHOW TRIGGERS', 0);
  for (const table of await textsOf('SHOW TABLES', 0)) {
    statements.push(...(await textsOf(`SHOW CREATE TABLE \`${table}\``, 1)));
    const rows = await rowsOf(`SELECT * FROM \`${table}\``);
    if (rows.length > 0) statements.push(mysql.format('INSERT INTO ?? VALUES ?', [table, rows]));
  }
  for (const trigger of triggers) statements.push(...(await textsOf(`SHOW CREATE TRIGGER \`${trigger}\``, 2)));
  await connection.end();
  return async (database) => {
    const target = await mysql.createConnection({ uri: database.url, multipleStatements: true });
    await target.query(statements.join(';\n'));
    await target.end();
  };
}
