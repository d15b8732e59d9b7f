import type { DataSource, EntityManager } from 'typeorm';
import { fingerprintOf } from '../config/values/app-keys.js';
import { PLAY_SECRET } from '../config/values/app-secret.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { Settings } from '../config/settings.js';
import { AppSecretEntity } from './app-secret.entity.js';
import type { Dialect } from './dialect/dialect.js';
import { insertOrIgnore } from './statements/statement.js';
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

const ID = 1;

/**
 * Sees to it that all processes on a database have one secret: the first one leaves its fingerprint. One that names the
 * former secret replaces that; any one may follow that of the demo. @throws {SecretMismatchError}
 */
export async function requireSharedSecret(writer: Writer, secrets: Secrets): Promise<void> {
  const own = fingerprintOf(secrets.appSecret);
  const found = (await fingerprintIn(writer.source)) ?? (await leave(writer, own));
  if (found === own) return;
  if (!isFormer(found, secrets)) throw new SecretMismatchError();
  const former = { id: ID, fingerprint: found };
  await write(writer, (manager) => manager.update(AppSecretEntity, former, columnsOf(own)));
  // Another process may have done the same with a third secret.
  if ((await fingerprintIn(writer.source)) !== own) throw new SecretMismatchError();
}

/** Tells whether a service with these secrets would start. Changes nothing. */
export async function isSharedSecret(source: DataSource, secrets: Secrets): Promise<boolean> {
  const found = await fingerprintIn(source);
  return found === null || found === fingerprintOf(secrets.appSecret) || isFormer(found, secrets);
}

/** Takes a secret for that of the database: nothing that was sealed is read any more. @param also is written in the same unit */
export async function replaceSecret(
  writer: Writer,
  { appSecret }: Secrets,
  also: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  const own = fingerprintOf(appSecret);
  await new UnitOfWork(writer).run(async (manager) => {
    await insertOrIgnore(manager, AppSecretEntity, { id: ID, ...columnsOf(own) });
    await manager.update(AppSecretEntity, { id: ID }, columnsOf(own));
    await also(manager);
  });
}

/** @returns the fingerprint that is there now: of several processes that begin together, one leaves its own */
async function leave(writer: Writer, own: string): Promise<string> {
  await write(writer, (manager) => insertOrIgnore(manager, AppSecretEntity, { id: ID, ...columnsOf(own) }));
  return (await fingerprintIn(writer.source)) ?? own;
}

function columnsOf(fingerprint: string): Pick<AppSecretEntity, 'fingerprint' | 'changedAt'> {
  return { fingerprint, changedAt: Date.now() };
}

async function write(writer: Writer, work: (manager: EntityManager) => Promise<unknown>): Promise<void> {
  await new UnitOfWork(writer).run(work, REPEATABLE);
}

async function fingerprintIn(source: DataSource): Promise<string | null> {
  return (await source.manager.findOneBy(AppSecretEntity, { id: ID }))?.fingerprint ?? null;
}

function isFormer(found: string, { formerSecret }: Secrets): boolean {
  return found === fingerprintOf(PLAY_SECRET) || (formerSecret !== null && found === fingerprintOf(formerSecret));
}

/** Has units of work take turns in all processes, for what has no row of its own to lock. */
export async function holdSharedRow(manager: EntityManager, dialect: Dialect): Promise<void> {
  await dialect.hold(manager, 'app_secret', { sql: 'id = 1', values: [] });
}
