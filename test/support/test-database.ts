import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import type { DatabaseAddress } from '../../src/config/values/database-url.js';

/** An empty database of its own for one spec file, and how to get rid of it. */
export interface TestDatabase {
  readonly address: DatabaseAddress;
  /** As `DATABASE_URL` wants it, for tests that start a process. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A file of SQLite, or a new database on the server that `TEST_DATABASE_URL` names (`mysql://root@127.0.0.1:3306`). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  return server ? onServer(server) : createTestFile();
}

/** A file of SQLite, whatever the other tests run on. */
export function createTestFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'cms-test-'));
  const file = join(folder, 'cms.sqlite');
  return {
    address: { kind: 'sqlite', file },
    url: `sqlite:${file}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function onServer(server: string): Promise<TestDatabase> {
  const name = `cms_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  // The least helpful default that an operator's database may have.
  await statement(server, `CREATE DATABASE ${name} CHARACTER SET latin1`);
  return {
    address: { kind: 'server', url: url.href, label: name, tls: null },
    url: url.href,
    drop: () => statement(server, `DROP DATABASE IF EXISTS ${name}`),
  };
}

async function statement(server: string, sql: string): Promise<void> {
  const { hostname, port, username, password } = new URL(server);
  const connection = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  });
  await connection.query(sql);
  await connection.end();
}
