import type { DataSource, EntityManager } from 'typeorm';
import { fingerprintOf } from '../config/values/app-keys.js';
import { PLAY_SECRET } from '../config/values/app-secret.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { Settings } from '../config/settings.js';
import type { Dialect } from './dialect/dialect.js';
import { execute, type SqlValue } from './statements/statement.js';
import { REPEATABLE, UnitOfWork } from './units/unit-of-work.js';
import type { Writer } from './statements/writer.js';

/** The database is in use with another `APP_SECRET`: processes with two would undo each other's keys. */
export class SecretMismatchError extends DomainError {
  constructor() {
    super(
      'not_ready',
      'APP_SECRET is not the one that this database is used with. Set it back; or, to change it, set APP_SECRET_OLD to the former one; or, if that is lost, run: npm run cli -- secret replace.',
    );
  }
}

type Secrets = Pick<Settings, 'appSecret' | 'formerSecret'>;

const FOUND = 'SELECT fingerprint FROM app_secret WHERE id = 1';
const CHANGE = 'UPDATE app_secret SET fingerprint = ?, changed_at = ? WHERE id = 1 AND fingerprint = ?';

/**
 * Sees to it that all processes on a database have one secret: the first one to start leaves its fingerprint. One that
 * names the former secret puts its own in the place of that. The secret of the demo protects nothing, so any other one
 * may follow it.
 *
 * @throws {SecretMismatchError}
 */
export async function requireSharedSecret(writer: Writer, secrets: Secrets): Promise<void> {
  const own = fingerprintOf(secrets.appSecret);
  const found = (await fingerprintIn(writer.source)) ?? (await leave(writer, own));
  if (found === own) return;
  if (!isFormer(found, secrets)) throw new SecretMismatchError();
  await write(writer, CHANGE, [own, Date.now(), found]);
  // Another process may have done the same with a third secret.
  if ((await fingerprintIn(writer.source)) !== own) throw new SecretMismatchError();
}

/** Whether a service with these secrets would start. Changes nothing. */
export async function isSharedSecret(source: DataSource, secrets: Secrets): Promise<boolean> {
  const found = await fingerprintIn(source);
  return found === null || found === fingerprintOf(secrets.appSecret) || isFormer(found, secrets);
}

/**
 * Takes a secret for that of the database, whatever was there before: nothing that was sealed is read any more.
 *
 * @param also what is written in the same unit of work
 */
export async function replaceSecret(
  writer: Writer,
  { appSecret }: Secrets,
  also: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  const own = fingerprintOf(appSecret);
  await new UnitOfWork(writer).run(async (manager) => {
    await execute(manager, leaving(writer), [own, Date.now()]);
    await execute(manager, 'UPDATE app_secret SET fingerprint = ?, changed_at = ? WHERE id = 1', [own, Date.now()]);
    await also(manager);
  });
}

/** @returns the fingerprint that is there now: of several processes that begin together, one leaves its own */
async function leave(writer: Writer, own: string): Promise<string> {
  await write(writer, leaving(writer), [own, Date.now()]);
  return (await fingerprintIn(writer.source)) ?? own;
}

function leaving({ dialect }: Writer): string {
  return `${dialect.insertOrIgnore} INTO app_secret (id, fingerprint, changed_at) VALUES (1, ?, ?)`;
}

/** In a unit of work, which waits for other processes that write. */
async function write(writer: Writer, sql: string, values: readonly SqlValue[]): Promise<void> {
  await new UnitOfWork(writer).run((manager) => execute(manager, sql, values), REPEATABLE);
}

async function fingerprintIn(source: DataSource): Promise<string | null> {
  const [row] = await source.query<{ fingerprint: string }[]>(FOUND);
  return row?.fingerprint ?? null;
}

function isFormer(found: string, { formerSecret }: Secrets): boolean {
  return found === fingerprintOf(PLAY_SECRET) || (formerSecret !== null && found === fingerprintOf(formerSecret));
}

/**
 * Units of work that call this take turns, in all processes: the one row of the database that is always there, for what
 * has no row of its own to lock.
 */
export async function holdSharedRow(manager: EntityManager, dialect: Dialect): Promise<void> {
  await dialect.hold(manager, 'app_secret', { sql: 'id = 1', values: [] });
}
