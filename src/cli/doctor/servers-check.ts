import type { DataSource } from 'typeorm';
import { serversOf } from '../../database/servers/mysql-dialect.js';
import { DATABASE_POOL } from '../../config/values/database-url.js';
import type { Check, OpenDatabase, CheckResult } from './check.js';

const OLDEST = { MariaDB: '10.6', MySQL: '8.0' } as const;
const ISOLATION = 'READ-COMMITTED';
/** Beside its two pools: one for locks of jobs, one for probes, and up to three former ones that a server still has after a hang. */
const BESIDE_POOLS = 5;

const VARIABLES = [
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'read_only', 'max_connections', 'wsrep_on', 'group_replication_group_name')`,
  `SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Max_used_connections', 'wsrep_cluster_status')`,
];

/** A server with its variables and figures by name; `null`: it does not answer. */
interface ServerReport {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string> | null;
}

/** Whether the server is fit for this service, and takes writes. */
export const serversCheck: Check<OpenDatabase> = {
  name: 'servers',
  async look({ source, dialect, settings: { database } }) {
    const servers = serversOf(dialect);
    if (servers === null || database.kind !== 'server') return [];
    const report = { name: servers.name ?? database.label, variables: await variablesOf(source) };
    const connections = 2 * (database.pool ?? DATABASE_POOL) + BESIDE_POOLS;
    return [serverSeen(report, connections), await isolationSeen(source)];
  },
};

/** @param connections that one instance may open */
export function serverSeen({ name, variables }: ServerReport, connections: number): CheckResult {
  if (variables === null) return { ok: false, message: `${name} does not answer. Start it.` };
  const faults = [versionFault, roleFault, connectionsFault, clusterFault].flatMap((fault) =>
    fault(variables, connections),
  );
  if (faults.length > 0) return { ok: false, message: `${name}: ${faults.join('; ')}.` };
  const cluster = isOfCluster(variables) ? ', a node of a cluster (all instances must write through the same one)' : '';
  const open = `${variables.get('Threads_connected')} of ${variables.get('max_connections')} connections`;
  return { ok: true, message: `${name}: ${variables.get('version')}${cluster}, ${open}` };
}

async function variablesOf(source: DataSource): Promise<ServerReport['variables']> {
  try {
    const variables = new Map<string, string>();
    for (const sql of VARIABLES)
      for (const { Variable_name: name, Value: value } of await source.query<Record<string, string>[]>(sql))
        variables.set(String(name), String(value));
    return variables;
  } catch {
    return null;
  }
}

type Variables = NonNullable<ServerReport['variables']>;

function versionFault(variables: Variables): string[] {
  const version = variables.get('version') ?? '';
  const kind = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  return isOlder(version, OLDEST[kind]) ? [`${kind} ${version} is older than ${OLDEST[kind]}: replace it`] : [];
}

/** A word, or a number of older servers. */
function roleFault(variables: Variables): string[] {
  const isWritable = ['OFF', '0'].includes(variables.get('read_only') ?? '');
  return isWritable ? [] : ['it takes no writes (read_only): set DATABASE_URL to the server that does'];
}

function connectionsFault(variables: Variables, connections: number): string[] {
  const most = Number(variables.get('max_connections'));
  if (most >= connections) return [];
  return [`max_connections is ${most}, and one instance may open ${connections}: raise it, or lower DATABASE_POOL`];
}

function clusterFault(variables: Variables): string[] {
  if (variables.get('wsrep_on') !== 'ON' || variables.get('wsrep_cluster_status') === 'Primary') return [];
  return ['it has lost its cluster: bring the other nodes back'];
}

function isOfCluster(variables: Variables): boolean {
  return variables.get('wsrep_on') === 'ON' || (variables.get('group_replication_group_name') ?? '') !== '';
}

async function isolationSeen(source: OpenDatabase['source']): Promise<CheckResult> {
  const names = "('transaction_isolation', 'tx_isolation')";
  const rows = await source.query<{ Value: string }[]>(`SHOW SESSION VARIABLES WHERE Variable_name IN ${names}`);
  return isolationOf(rows[0]?.Value ?? 'unknown');
}

/** What is said of the isolation that a session has. */
export function isolationOf(level: string): CheckResult {
  if (level === ISOLATION) return { ok: true, message: `sessions read what is committed (${level})` };
  return {
    ok: false,
    message: `Sessions have the isolation ${level}, although the service sets ${ISOLATION}. Look for a proxy in between that changes it.`,
  };
}

function isOlder(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0;
}
