import { Injectable } from '@nestjs/common';
import { Metrics } from '../common/metrics/metrics.js';
import { Dialect } from './dialect/dialect.js';
import { Leases } from './leases/leases.js';
import type { PoolState } from './servers/pool-state.js';
import type { Servers } from './servers/servers.js';

/** In the order in which they are opened. */
const POOLS = ['write', 'read'] as const;
const STATES = ['active', 'idle', 'held', 'connecting', 'waiting'] as const satisfies readonly (keyof PoolState)[];

/** Shows the connections to the servers of the database, how those do, and the leases of this process. */
@Injectable()
export class DatabaseMetrics {
  constructor({ servers }: Dialect, leases: Leases, metrics: Metrics) {
    metrics.gauge<Record<'name', string>>(
      { name: 'cms_lease', help: 'Leases that this process has; always 1.', labels: ['name'] },
      () => leases.held.map(({ name }) => ({ labels: { name }, value: 1 })),
    );
    // A file has neither.
    if (servers !== null) measureServers(servers, metrics);
  }
}

function measureServers(servers: Servers, metrics: Metrics): void {
  metrics.gauge<Record<'pool' | 'state', string>>(
    {
      name: 'cms_db_connections',
      help: 'Connections by what they do, and callers that wait for one.',
      labels: ['pool', 'state'],
    },
    () =>
      servers.poolStates.flatMap((pool, at) =>
        STATES.map((state) => ({ labels: { pool: POOLS[at] ?? 'other', state }, value: pool[state] })),
      ),
  );
  metrics.gauge<Record<'host', string>>(
    { name: 'cms_db_breaker', help: '1: requests are refused, since this server does not answer.', labels: ['host'] },
    () => servers.hostStates.map(({ name, isOpen }) => ({ labels: { host: name }, value: isOpen ? 1 : 0 })),
  );
}
