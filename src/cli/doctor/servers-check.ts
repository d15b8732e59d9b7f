import type { ServerReport } from '../../database/servers/server-report.js';
import { serversOf } from '../../database/servers/mysql-dialect.js';
import { DATABASE_POOL } from '../../config/values/database-url.js';
import type { Check, OpenDatabase, CheckResult } from './check.js';

const OLDEST = { MariaDB: '10.6', MySQL: '8.0' } as const;
const ISOLATION = 'READ-COMMITTED';
/** Beside its two pools: one for probes, a second one while that is not answered, one for locks of jobs, and one for a moment more. */
const BESIDE_POOLS = 4;

/** Whether the server is fit for this service, and takes writes. */
export const serversCheck: Check<OpenDatabase> = {
  name: 'servers',
  async look({ source, dialect, settings: { database } }) {
    const servers = serversOf(dialect);
    if (servers === null || database.kind !== 'server') return [];
    const report = await servers.report();
    const connections = 2 * (database.pool ?? DATABASE_POOL) + BESIDE_POOLS;
    return [...(report === null ? [] : [serverSeen(report, connections)]), await isolationSeen(source)];
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
