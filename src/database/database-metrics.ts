import { Inject, Injectable } from '@nestjs/common';
import { Metrics } from '../common/metrics/metrics.js';
import { Dialect } from './dialect/dialect.js';
import { Leases } from './leases/leases.js';
import { Replicas, type ReplicaState } from './replicas/replicas.js';
import { POOLS, type PoolState } from './servers/pool-state.js';
import type { Servers } from './servers/servers.js';

const STATES = ['active', 'idle', 'held', 'connecting', 'waiting'] as const satisfies readonly (keyof PoolState)[];

/** Shows the connections to the servers of the database, how those do, and the leases of this process. */
@Injectable()
export class DatabaseMetrics {
  constructor({ servers }: Dialect, @Inject(Replicas) replicas: Replicas | null, leases: Leases, metrics: Metrics) {
    metrics.gauge<Record<'name', string>>(
      { name: 'cms_lease', help: 'Leases that this process has; always 1.', labels: ['name'] },
      () => leases.held.map(({ name }) => ({ labels: { name }, value: 1 })),
    );
    // A file has neither.
    if (servers !== null) measureServers(servers, replicas, metrics);
  }
}

function measureServers(servers: Servers, replicas: Replicas | null, metrics: Metrics): void {
  const copies = (): readonly ReplicaState[] => replicas?.states ?? [];
  metrics.gauge<Record<'pool' | 'state', string>>(
    {
      name: 'cms_db_connections',
      help: 'Connections by what they do, and callers that wait for one.',
      labels: ['pool', 'state'],
    },
    () => [
      ...servers.poolStates.flatMap((pool, at) => counted(POOLS[at] ?? 'other', [pool])),
      ...(replicas === null
        ? []
        : counted(
            'replica',
            copies().map(({ pool }) => pool),
          )),
    ],
  );
  metrics.gauge<Record<'host', string>>(
    { name: 'cms_db_breaker', help: '1: requests are refused, since this server does not answer.', labels: ['host'] },
    () =>
      [...servers.hostStates, ...copies()].map(({ name, isOpen }) => ({
        labels: { host: name },
        value: isOpen ? 1 : 0,
      })),
  );
  metrics.gauge<Record<'host', string>>(
    {
      name: 'cms_replica_lag_seconds',
      help: 'How far a replica is behind the server that is written to; none of one that does not answer.',
      labels: ['host'],
    },
    () =>
      copies().flatMap(({ name, lagMs }) => (lagMs === null ? [] : [{ labels: { host: name }, value: lagMs / 1_000 }])),
  );
}

/** The activity of all connections of some pools. */
function counted(pool: string, states: readonly PoolState[]) {
  return STATES.map((state) => ({
    labels: { pool, state },
    value: states.reduce((sum, counts) => sum + counts[state], 0),
  }));
}
