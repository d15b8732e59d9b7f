import { isIP } from 'node:net';
import { integer, list } from './setting-parsers.js';
import type { SettingFaults } from './setting-faults.js';

/** Where a copy of the database is read, and as whom. */
export interface ReplicaAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export const DEFAULT_MAX_LAG_MS = 2_000;
/** A copy that follows without a pause looks as old as its last heartbeat, of which there is one a second. */
const MIN_MAX_LAG_MS = 1_500;
const MAX_MAX_LAG_MS = 60_000;
const DEFAULT_PORT = 3306;
const EXAMPLE = 'DATABASE_REPLICA_URLS=mysql://reader:password@db2:3306/cms';

/**
 * Parses `DATABASE_REPLICA_URLS`. A fault never repeats an address: it may hold a password.
 *
 * @param isEncrypted whether certificates are compared with the names of the servers
 */
export function databaseReplicas(
  text: string | undefined,
  isEncrypted: boolean,
  faults: SettingFaults,
): readonly ReplicaAddress[] {
  const replicas = list(text).flatMap((entry, at) => replicaOf(entry, at + 1, isEncrypted, faults));
  const names = replicas.map(({ host, port }) => `${host}:${port}`);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) faults.add(`DATABASE_REPLICA_URLS names ${twice} twice.`);
  return replicas;
}

/** Parses `REPLICA_MAX_LAG_MS`. */
export function maxLag(text: string | undefined, faults: SettingFaults): number {
  const limits = { min: MIN_MAX_LAG_MS, max: MAX_MAX_LAG_MS };
  return integer('REPLICA_MAX_LAG_MS', text, DEFAULT_MAX_LAG_MS, limits, faults);
}

function replicaOf(text: string, place: number, isEncrypted: boolean, faults: SettingFaults): ReplicaAddress[] {
  const replica = parsed(text);
  if (replica === null) {
    faults.add(
      `DATABASE_REPLICA_URLS has an entry (number ${place}) that is no address of a database on a server: ${EXAMPLE}. Write %2C for a comma of a password.`,
    );
    return [];
  }
  if (isEncrypted && isIP(replica.host) !== 0) {
    faults.add(
      'DATABASE_TLS needs the names of the servers in DATABASE_REPLICA_URLS, as their certificates have them.',
    );
  }
  return [replica];
}

/** `null`: it is no address, or something is percent-encoded there that is no text. */
function parsed(text: string): ReplicaAddress | null {
  if (!/^(?:mysql|mariadb):\/\//.test(text) || !URL.canParse(text)) return null;
  const { hostname, port, username, password, pathname, search } = new URL(text);
  if (hostname === '' || pathname.length < 2 || search !== '') return null;
  try {
    return {
      host: hostname.replace(/[[\]]/g, ''),
      port: Number(port || DEFAULT_PORT),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
    };
  } catch {
    return null;
  }
}
