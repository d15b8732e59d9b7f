import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { readGauge } from '../common/metrics/read-gauge.js';
import { Dialect } from './dialect/dialect.js';
import { serversOf } from './mysql/mysql-dialect.js';
import type { PoolState, Servers } from './servers/servers.js';

/** Names of the pools of a service, in the order in which they are opened. */
const POOLS = ['write', 'read'] as const;
const STATES = ['active', 'idle', 'waiting'] as const satisfies readonly (keyof PoolState)[];

/** Shows the connections to the server of the database, and whether it answers. SQLite has neither. */
@Injectable()
export class DatabaseMetrics {
  constructor(dialect: Dialect, registry: Registry) {
    const servers = serversOf(dialect);
    if (servers !== null) measureServers(servers, registry);
  }
}

function measureServers(servers: Servers, registry: Registry): void {
  readGauge(
    {
      name: 'cms_db_connections',
      help: 'Connections by what they do, and callers that wait for one.',
      labelNames: ['pool', 'state'],
      registers: [registry],
    },
    () =>
      servers.poolStates.flatMap((counts, at) =>
        STATES.map((state) => ({ labels: { pool: POOLS[at] ?? 'other', state }, value: counts[state] })),
      ),
  );
  readGauge(
    {
      name: 'cms_db_breaker',
      help: '1: requests are refused, since this server does not answer.',
      labelNames: ['host'],
      registers: [registry],
    },
    () => (servers.name === null ? [] : [{ labels: { host: servers.name }, value: servers.isOpen ? 1 : 0 }]),
  );
}
