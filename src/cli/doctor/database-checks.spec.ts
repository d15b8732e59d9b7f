import { serverSeen } from './database-checks.js';

const FIT = {
  version: '10.11.14-MariaDB-log',
  read_only: 'OFF',
  max_connections: '100',
  Threads_connected: '7',
  wsrep_on: 'OFF',
};
const CONNECTIONS = 25;

const seen = (variables: Readonly<Record<string, string>> | null) => {
  const all = variables && new Map<string, string>(Object.entries({ ...FIT, ...variables }));
  return serverSeen({ name: 'db1:3306', variables: all }, CONNECTIONS);
};

describe('What doctor says of a server', () => {
  it.each([
    [{}, 'db1:3306: 10.11.14-MariaDB-log, 7 of 100 connections'],
    [{ version: '9.7.0' }, 'db1:3306: 9.7.0, 7 of 100 connections'],
    [{ max_connections: '25' }, 'db1:3306: 10.11.14-MariaDB-log, 7 of 25 connections'],
    [
      { wsrep_on: 'ON', wsrep_cluster_status: 'Primary', wsrep_cluster_size: '3' },
      'db1:3306: 10.11.14-MariaDB-log, a node of a cluster (all instances must write through the same one), 7 of 100 connections',
    ],
    [
      { group_replication_group_name: 'f2a7' },
      'db1:3306: 10.11.14-MariaDB-log, a node of a cluster (all instances must write through the same one), 7 of 100 connections',
    ],
  ])('is that it is fit: %j', (variables, message) => {
    expect(seen(variables)).toEqual({ ok: true, message });
  });

  it.each([
    [{ version: '10.5.9-MariaDB' }, 'MariaDB 10.5.9-MariaDB is older than 10.6'],
    [{ version: '5.7.40' }, 'MySQL 5.7.40 is older than 8.0'],
    [{ read_only: 'ON' }, 'it takes no writes'],
    [{ read_only: 'NO_LOCK_NO_ADMIN' }, 'it takes no writes'],
    [{ max_connections: '24' }, 'max_connections is 24, and one instance may open 25'],
    [{ wsrep_on: 'ON', wsrep_cluster_status: 'non-Primary' }, 'it has lost its cluster'],
    [null, 'db1:3306 does not answer'],
  ])('is what is wrong with it: %j', (variables, part) => {
    expect(seen(variables)).toEqual({ ok: false, message: expect.stringContaining(part) });
  });
});
