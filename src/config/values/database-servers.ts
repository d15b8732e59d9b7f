import { isIP } from 'node:net';
import { databaseReplicas, DEFAULT_MAX_LAG_MS, maxLag, type ReplicaAddress } from './database-replicas.js';
import { integer, list } from './setting-parsers.js';
import type { SettingFaults } from './setting-faults.js';

/** Where a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** How a database on servers is reached, beyond its address. */
export interface DatabaseServers {
  /** Connections at most in each of the two pools. */
  readonly pool: number;
  /** Servers with the same data behind the one of the address, in the order in which they take its place. */
  readonly others: readonly ServerAddress[];
  /** Copies that follow those servers, and are only read from. */
  readonly replicas: readonly ReplicaAddress[];
  /** A copy that is further behind is not read from, milliseconds. */
  readonly maxLagMs: number;
}

const DEFAULT_POOL = 10;
const DEFAULT_PORT = 3306;
/** As many as there may be, a unit of work needs one, and what is beside the requests another one. */
const MIN_POOL = 2;
const MAX_POOL = 200;

export const USUAL_SERVERS: DatabaseServers = {
  pool: DEFAULT_POOL,
  others: [],
  replicas: [],
  maxLagMs: DEFAULT_MAX_LAG_MS,
};

interface Texts {
  readonly DATABASE_POOL?: string | undefined;
  readonly DATABASE_HOSTS?: string | undefined;
  readonly DATABASE_REPLICA_URLS?: string | undefined;
  readonly REPLICA_MAX_LAG_MS?: string | undefined;
}

/** @param isEncrypted whether certificates are compared with the names of the servers */
export function databaseServers(texts: Texts, isEncrypted: boolean, faults: SettingFaults): DatabaseServers {
  const limits = { min: MIN_POOL, max: MAX_POOL };
  return {
    pool: integer('DATABASE_POOL', texts.DATABASE_POOL, DEFAULT_POOL, limits, faults),
    others: list(texts.DATABASE_HOSTS).flatMap((text) => serverAddress(text, isEncrypted, faults)),
    replicas: databaseReplicas(texts.DATABASE_REPLICA_URLS, isEncrypted, faults),
    maxLagMs: maxLag(texts.REPLICA_MAX_LAG_MS, faults),
  };
}

function serverAddress(text: string, isEncrypted: boolean, faults: SettingFaults): ServerAddress[] {
  const url = URL.canParse(`mysql://${text}`) ? new URL(`mysql://${text}`) : null;
  if (url?.host !== text || url.hostname === '') {
    faults.add(`DATABASE_HOSTS has "${hidden(text)}", which is no host with a port: DATABASE_HOSTS=db2:3306,db3:3306.`);
    return [];
  }
  const host = url.hostname.replace(/[[\]]/g, '');
  if (isEncrypted && isIP(host) !== 0) {
    faults.add('DATABASE_TLS needs the names of the servers in DATABASE_HOSTS, as their certificates have them.');
  }
  return [{ host, port: Number(url.port || DEFAULT_PORT) }];
}

/** An address with a password may have been put here by mistake. */
function hidden(text: string): string {
  return text.includes('@') ? '…@…' : text;
}
