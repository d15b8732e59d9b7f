import { instancesIn } from '../../../database/instances/found-instances.js';
import type { ServerReport } from '../../../database/servers/server-report.js';
import { Reads } from '../../../database/statements/reads.js';
import { USUAL_SERVERS } from '../../../config/values/database-servers.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

const OLDEST = { MariaDB: '10.6', MySQL: '8.0' } as const;
const ISOLATION = 'READ-COMMITTED';
/** Beside its two pools: one for probes, a second one while that is not answered, and one for a moment more. */
const BESIDE_POOLS = 3;

/** Whether each server answers and is fit for this service, and the one in use takes writes. */
export const serversCheck: Check<OpenDatabase> = {
  name: 'servers',
  async look({ source, dialect, settings: { database } }) {
    if (dialect.servers === null || database.kind !== 'server') return [];
    const instances = await instancesIn(new Reads(source), dialect);
    const living = Math.max(1, instances.filter(({ isSeen }) => isSeen).length);
    const { pool } = database.servers ?? USUAL_SERVERS;
    const connections = living * (2 * pool + BESIDE_POOLS);
    const reports = await dialect.servers.report();
    return [...reports.map((report) => serverSeen(report, { living, connections })), await isolationSeen(source)];
  },
};

/** What the living instances need of a server. */
export interface Needs {
  readonly living: number;
  readonly connections: number;
}

/** What is said of one server. */
export function serverSeen(report: ServerReport, needs: Needs): CheckResult {
  const { name, isCurrent, variables } = report;
  if (variables === null) {
    return { ok: false, message: `${name} does not answer. Start it, or take it out of DATABASE_HOSTS.` };
  }
  const faults = [versionFault, roleFault, connectionsFault, clusterFault].flatMap((fault) =>
    fault(variables, isCurrent, needs),
  );
  if (faults.length > 0) return { ok: false, message: `${name}: ${faults.join('; ')}.` };
  const role = isCurrent ? 'in use' : isWritable(variables) ? 'waiting' : 'waiting, read only';
  const cluster = isOfCluster(variables) ? `, one of ${variables.get('wsrep_cluster_size')} nodes` : '';
  const open = `${variables.get('Threads_connected')} of ${variables.get('max_connections')} connections`;
  return { ok: true, message: `${name}: ${role}, ${variables.get('version')}${cluster}, ${open}` };
}

type Variables = NonNullable<ServerReport['variables']>;

function versionFault(variables: Variables): string[] {
  const version = variables.get('version') ?? '';
  const kind = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  return isOlder(version, OLDEST[kind]) ? [`${kind} ${version} is older than ${OLDEST[kind]}: replace it`] : [];
}

function roleFault(variables: Variables, isCurrent: boolean): string[] {
  return isCurrent && !isWritable(variables) ? ['it takes no writes (read_only): promote one that does'] : [];
}

function connectionsFault(variables: Variables, _: boolean, { living, connections }: Needs): string[] {
  const most = Number(variables.get('max_connections'));
  if (most >= connections) return [];
  const instances = `${living} ${living === 1 ? 'instance' : 'instances'}`;
  return [`max_connections is ${most}, and ${instances} may open ${connections}: raise it, or lower DATABASE_POOL`];
}

function clusterFault(variables: Variables): string[] {
  if (!isOfCluster(variables) || variables.get('wsrep_cluster_status') === 'Primary') return [];
  return ['it has lost its cluster: bring the other nodes back'];
}

/** A word, or a number of older servers. */
function isWritable(variables: Variables): boolean {
  return ['OFF', '0'].includes(variables.get('read_only') ?? '');
}

function isOfCluster(variables: Variables): boolean {
  return variables.get('wsrep_on') === 'ON';
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
    message: `Sessions have the isolation ${level} where the service sets ${ISOLATION}. Look for a proxy in between that sets another one.`,
  };
}

function isOlder(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0;
}
