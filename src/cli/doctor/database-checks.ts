import type { DataSource } from 'typeorm';
import { DATABASE_POOL } from '../../config/values/database-url.js';
import { appliedMigrations, MIGRATION_NAMES } from '../../database/schema/migrate.js';
import { NewerSchemaError, unfitMigrations } from '../../database/schema/newer-schema-error.js';
import { serversOf } from '../../database/mysql/mysql-dialect.js';
import { isSharedSecret, SecretMismatchError } from '../../database/shared-secret.js';
import { Reads, withRunner } from '../../database/statements/reads.js';
import { lastMailError, mailBacklog } from '../../mail/mail-metrics.js';
import { overdueJobs } from '../../records/checks/record-faults.js';
import { latestWrite } from '../../records/rows/record-portions.js';
import { verdict, type Check, type OpenDatabase, type CheckResult } from './check.js';

export const migrationsCheck: Check<OpenDatabase> = {
  name: 'migrations',
  async look({ source }) {
    const applied = await withRunner(source, appliedMigrations);
    const unfit = unfitMigrations(applied);
    if (unfit.length > 0) return verdict([new NewerSchemaError(unfit).message], '');
    const pending = MIGRATION_NAMES.filter((name) => !applied.includes(name));
    const fault = `${pending.length} pending: ${pending.join(', ')}. Run: npm run migrate.`;
    return verdict(pending.length > 0 ? [fault] : [], 'up to date');
  },
};

const secretCheck: Check<OpenDatabase> = {
  name: 'secret',
  async look({ source, settings }) {
    const isShared = await isSharedSecret(source, settings);
    const rest = settings.formerSecret === null ? '' : '; APP_SECRET_OLD is read as well';
    const faults = isShared ? [] : [`npm start would refuse: ${new SecretMismatchError().message}`];
    return verdict(faults, `APP_SECRET is that of the database${rest}`);
  },
};

/** The alert on the metric has the same. */
const MAX_SKEW_MS = 1_000;
/** A record that is written again and again runs ahead of the clock, but not by so much. */
const MAX_AHEAD_MS = 60_000;

/** Checks that the clocks of this machine and of the database agree, and records were written by clocks that did. */
const clockCheck: Check<OpenDatabase> = {
  name: 'clock',
  async look({ source, dialect }) {
    const before = Date.now();
    const [row] = await new Reads(source).select<{ now: number | string }>(`SELECT ${dialect.now} AS now`);
    const now = Number(row?.now);
    // Between the two the database has looked at its own.
    const skew = Math.max(before - now, now - Date.now(), 0);
    const ahead = (await latestWrite(source.manager)) - now;
    const skewFault = `The clocks of this machine and the database differ by ${(skew / 1_000).toFixed(1)} s. Set both by NTP; from a minute on instances are not ready.`;
    const aheadFault = `The record that was changed last was changed ${Math.round(ahead / 1_000)} s from now: a clock was ahead when it was written, or is behind now. Set the clocks right; writing it again gives it a later time still until then.`;
    return [
      ...verdict(skew > MAX_SKEW_MS ? [skewFault] : [], 'the clocks of this machine and the database agree'),
      ...(ahead > MAX_AHEAD_MS ? verdict([aheadFault], '') : []),
    ];
  },
};

/** Checks that jobs are not overdue, by what they leave in the database. Their last success is measured by each process. */
const jobsCheck: Check<OpenDatabase> = {
  name: 'jobs',
  async look({ source }) {
    const faults = (await overdueJobs(new Reads(source), Date.now())).map(
      (fault) =>
        `${fault}. Is an instance running? If so, its log says why, and the alert ContentServiceJobIsLate which.`,
    );
    return verdict(faults, 'nothing that jobs do is overdue');
  },
};

const lettersCheck: Check<OpenDatabase> = {
  name: 'letters',
  async look({ source }) {
    const [reads, now] = [new Reads(source), Date.now()];
    const { waiting, late, abandoned } = await mailBacklog(reads, now);
    const faults: string[] = [];
    if (late > 0) {
      const lastError = await lastMailError(reads, now);
      const reason =
        lastError === null ? 'None was tried: is an instance running?' : `The oldest failed with: ${lastError}`;
      faults.push(`Mails that have waited for more than five minutes: ${late}. ${reason}`);
    }
    if (abandoned > 0) {
      faults.push(`Mails in hand of a process that has died, and taken by no other: ${abandoned}. Start an instance.`);
    }
    return verdict(faults, waiting === 0 ? 'no mail waits' : `mails that wait: ${waiting}, none for long`);
  },
};

const OLDEST = { MariaDB: '10.6', MySQL: '8.0' } as const;
/** Beside its two pools: one for probes and locks of jobs, and a former one that a server still has while it hangs. */
const BESIDE_POOLS = 2;

const VARIABLES = [
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'read_only', 'max_connections', 'wsrep_on', 'group_replication_group_name')`,
  `SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Max_used_connections', 'wsrep_cluster_status')`,
];

/** A server with its variables and figures by name; `null`: it does not answer. */
interface ServerReport {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string> | null;
}

/** Checks that the server is fit for this service, and takes writes. */
const serversCheck: Check<OpenDatabase> = {
  name: 'servers',
  async look({ source, dialect, settings: { database } }) {
    const servers = serversOf(dialect);
    if (servers === null || database.kind !== 'server') return [];
    const report = { name: servers.name ?? database.label, variables: await variablesOf(source) };
    const connections = 2 * (database.pool ?? DATABASE_POOL) + BESIDE_POOLS;
    return [serverSeen(report, connections)];
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
  const isOlder = version.localeCompare(OLDEST[kind], 'en', { numeric: true }) < 0;
  return isOlder ? [`${kind} ${version} is older than ${OLDEST[kind]}: replace it`] : [];
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

const MOST_LINES = 5;

/** Checks that SQLite is whole; `--deep` compares its indexes with its tables as well. */
const fileCheck: Check<OpenDatabase> = {
  name: 'file',
  async look({ dialect, source }, isDeep) {
    if (dialect.fileForThreads === null) return [];
    const rows = await source.query<Record<string, string>[]>(`PRAGMA ${isDeep ? 'integrity_check' : 'quick_check'}`);
    const faults = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
    const shown = faults.slice(0, MOST_LINES).join('; ');
    const message = `The file is damaged: ${shown}. Stop the service and keep a copy of the file. If a backup of it succeeds, restore that into another file; otherwise restore the last backup.`;
    return verdict(faults.length > 0 ? [message] : [], 'the file is whole');
  },
};

/** Checks of the database itself, but for {@link migrationsCheck}, on which the others depend. */
export const DATABASE_CHECKS: readonly Check<OpenDatabase>[] = [
  secretCheck,
  serversCheck,
  fileCheck,
  clockCheck,
  jobsCheck,
  lettersCheck,
];
