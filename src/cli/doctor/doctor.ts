import { existsSync } from 'node:fs';
import type { DatabaseAddress } from '../../config/values/database-url.js';
import { isLoopback } from '../../config/values/addresses.js';
import { SettingsError, type Settings } from '../../config/settings.js';
import { openNamed } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import type { Check, OpenDatabase, CheckResult, Service } from './check.js';
import { DATABASE_CHECKS, migrationsCheck } from './database-checks.js';
import { nodeCheck, SETTINGS_CHECKS } from './settings-checks.js';
import { ACCOUNT_CHECKS } from './account-checks.js';
import { DERIVED_CHECKS } from './derived-checks.js';
import { CONTENT_CHECKS, HISTORY_CHECKS } from './content-checks.js';

const CHECKS = [...DATABASE_CHECKS, ...ACCOUNT_CHECKS, ...CONTENT_CHECKS, ...DERIVED_CHECKS, ...HISTORY_CHECKS];

const SUMMARY =
  'Check Node, the settings, the database and what it holds. Changes nothing without --repair; ends with 1 if something is wrong, with 3 if all of it was repaired.';
const REPAIR =
  'Repair what is derived from content: counts, side rows, the search index. Content stays as it is; the service may run.';

export const doctorCommand: Define = (program, act) => {
  program
    .command('doctor')
    .description(SUMMARY)
    .option('--repair', REPAIR)
    .option('--deep', 'Read all of the content as well, which takes a while.')
    .action(act(examine));
};

async function examine(invocation: Invocation, options: Partial<Record<'repair' | 'deep', true>>): Promise<Outcome> {
  const order = { isDeep: options.deep === true, service: options.repair ? invocation : null };
  const findings = await examined(invocation.settings, order);
  return {
    json: findings,
    text: findings.map(lineOf).join('\n'),
    isFailed: findings.some(({ ok }) => !ok),
    isPartial: findings.some(({ repaired }) => repaired === true),
  };
}

interface Finding extends CheckResult {
  readonly check: string;
  readonly repaired?: true;
}

interface Order {
  readonly isDeep: boolean;
  /** The service by which repairs are made; `null`: none is made. */
  readonly service: Service | null;
}

/** Runs the checks one after the other, as far as those before them allow. */
async function examined(read: () => Settings, order: Order): Promise<Finding[]> {
  const findings = await taken(nodeCheck, process.versions.node, order);
  let settings: Settings;
  try {
    settings = read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const hint = error.hint === null ? [] : [{ ok: false, message: error.hint }];
    return [...findings, ...named('settings', [...error.faults.map(refused), ...hint])];
  }
  findings.push(...named('settings', [{ ok: true, message: `mode ${settings.mode}` }]));
  for (const check of SETTINGS_CHECKS) findings.push(...(await taken(check, settings, order)));
  findings.push(...(await inDatabase(settings, order)));
  return findings;
}

async function inDatabase(settings: Settings, order: Order): Promise<Finding[]> {
  const { database: address } = settings;
  // To open a file that is not there would make it.
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    return named('database', [{ ok: false, message: `${address.file} is not there yet. Run: npm run migrate.` }]);
  }
  const dialect = dialectFor(address);
  const findings: Finding[] = [];
  try {
    const source = await openNamed(dialect.label, dialect.readerOptions());
    try {
      await requireRestored(source);
      findings.push(...named('database', [{ ok: true, message: `${dialect.label}${wayTo(address)}` }]));
      findings.push(...(await inTables({ source, dialect, settings }, order)));
    } finally {
      await source.destroy();
    }
  } catch (error) {
    findings.push(...named('database', [refused(messageOf(error))]));
  }
  return findings;
}

async function inTables(database: OpenDatabase, order: Order): Promise<Finding[]> {
  const findings = await taken(migrationsCheck, database, order);
  if (findings.some(({ ok }) => !ok)) return findings;
  for (const check of CHECKS) {
    if (order.isDeep || !check.isDeep) findings.push(...(await taken(check, database, order)));
  }
  return findings;
}

async function taken<Subject>(check: Check<Subject>, subject: Subject, order: Order): Promise<Finding[]> {
  const { isDeep, service } = order;
  const look = async (): Promise<Finding[]> => {
    try {
      return named(check.name, await check.look(subject, isDeep));
    } catch (error) {
      return named(check.name, [{ ok: false, message: messageOf(error) }]);
    }
  };
  const seen = await look();
  if (service === null || !check.repair || seen.every(({ ok }) => ok)) return seen;
  let done: Finding[];
  try {
    const sentences = await check.repair(subject, service, isDeep);
    done = sentences.map((message) => ({ check: check.name, ok: true, message, repaired: true }));
  } catch (error) {
    done = named(check.name, [{ ok: false, message: `The repair failed: ${messageOf(error)}` }]);
  }
  // Also where nothing was done: another process may have been faster.
  return [...done, ...(await look())];
}

function named(check: string, results: readonly CheckResult[]): Finding[] {
  return results.map(({ ok, message }) => ({ check, ok, message }));
}

/** The safety of the way to a database server, if it is one. */
function wayTo(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return '';
  if (address.tls) return ', encrypted';
  const isNear = isLoopback(new URL(address.url).hostname);
  return isNear ? '' : ', not encrypted: to have it so, add ?ssl-mode=VERIFY_IDENTITY to DATABASE_URL';
}

function refused(reason: string): CheckResult {
  return { ok: false, message: `npm start would refuse: ${reason}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function lineOf({ check, ok, repaired, message }: Finding): string {
  const mark = repaired === true ? 'done' : ok ? 'ok  ' : 'fail';
  return `${mark}  ${check.padEnd(10)}  ${message}`;
}
