import type { DataSource } from 'typeorm';
import type { DatabaseServers } from '../../config/values/database-servers.js';
import type { Settings } from '../../config/settings.js';
import type { Dialect } from '../dialect/dialect.js';
import { Reads } from '../statements/reads.js';
import type { SlowQueries } from '../statements/slow-queries.js';
import { readSpan } from '../statements/traced-reads.js';
import type { Heartbeats } from './heartbeats.js';
import { Replica } from './replica.js';
import { Replicas } from './replicas.js';

/** How the servers of a database with replicas are reached; `null`: it has none. */
export function replicatedServers({ database }: Settings): DatabaseServers | null {
  const servers = database.kind === 'server' ? database.servers : undefined;
  return servers !== undefined && servers.replicas.length > 0 ? servers : null;
}

/**
 * Opens the replicas of the settings; one that cannot be reached is come back to.
 *
 * @param source reads the server that is written to
 * @param heartbeats `null` where there are no replicas
 * @returns `null`: there are none
 */
export function openReplicas(
  source: DataSource,
  dialect: Dialect,
  settings: Settings,
  heartbeats: Heartbeats | null,
  slow: SlowQueries,
): Replicas | null {
  const { servers } = dialect;
  const reach = replicatedServers(settings);
  if (servers === null || reach === null || heartbeats === null) return null;
  const base = servers.connectionOptions ?? {};
  const options = {
    pool: reach.pool,
    maxLagMs: reach.maxLagMs,
    writer: () => servers.host?.clock ?? null,
    took: (sql: string, ms: number) => {
      slow.took(sql, ms);
    },
    spanOf: (sql: string) => readSpan(dialect, sql),
  };
  const replicas = reach.replicas.map((address) => new Replica(base, address, options));
  return new Replicas({ replicas, writer: new Reads(source), heartbeats, servers });
}
