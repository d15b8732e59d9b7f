import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFacts } from '../common/package-facts.js';
import type { DatabaseAddress } from '../config/database-url.js';
import { SettingsError, type Settings } from '../config/settings.js';
import { dialectFor } from '../database/dialect/dialect-for.js';
import { pendingMigrations } from '../database/migrate.js';
import { requireWhole } from '../database/unfinished-restore.js';
import { Writer } from '../database/writer.js';
import type { Command } from './command.js';
import type { Invocation } from './invocation.js';

/** One thing that was looked at. */
interface Finding {
  readonly check: 'node' | 'settings' | 'mail' | 'database' | 'migrations';
  readonly ok: boolean;
  readonly message: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check Node, the settings, the database and its tables, and change nothing.',
  async run(_, invocation) {
    const findings = [nodeFinding(process.versions.node), ...(await settingsAndDatabase(invocation))];
    const lines = findings.map(({ check, ok, message }) => `${ok ? 'ok  ' : 'fail'}  ${check.padEnd(10)}  ${message}`);
    return { json: findings, text: lines.join('\n'), isFailed: findings.some(({ ok }) => !ok) };
  },
};

function nodeFinding(version: string): Finding {
  const oldest = packageFacts().engines.node.replace('>=', '');
  const ok = version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
  const message = ok ? version : `This is Node ${version}. Install ${oldest} or later.`;
  return { check: 'node', ok, message };
}

async function settingsAndDatabase(invocation: Invocation): Promise<Finding[]> {
  try {
    const settings = invocation.settings();
    return [
      { check: 'settings', ok: true, message: `mode ${settings.mode}` },
      mailFinding(settings),
      ...(await databaseFindings(settings.database)),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults.map((message) => ({ check: 'settings', ok: false, message }));
  }
}

/** A service without a mail server is whole, so this is never a failure; but nobody should be surprised by it. */
function mailFinding({ mail, dataDir }: Settings): Finding {
  if (mail.smtp) return { check: 'mail', ok: true, message: `${mail.smtp.label}, from ${mail.from.address}` };
  const where = mail.transport === 'log' ? 'to the log' : `into ${join(dataDir, 'outbox')}`;
  const message = `goes ${where} and reaches nobody. To send it, set SMTP_URL=smtp://user:password@mail.example.com:587.`;
  return { check: 'mail', ok: true, message };
}

async function databaseFindings(address: DatabaseAddress): Promise<Finding[]> {
  const label = address.kind === 'sqlite' ? address.file : address.label;
  // To open a file that is not there would make it.
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    return [{ check: 'database', ok: false, message: `${label} is not there yet. Run: npm run migrate.` }];
  }
  try {
    const writer = await Writer.open(dialectFor(address));
    try {
      await requireWhole(writer.source);
      const pending = await pendingMigrations(writer);
      return [{ check: 'database', ok: true, message: label }, migrationsFinding(pending)];
    } finally {
      await writer.onApplicationShutdown();
    }
  } catch (error) {
    return [{ check: 'database', ok: false, message: error instanceof Error ? error.message : String(error) }];
  }
}

function migrationsFinding(pending: readonly string[]): Finding {
  const message =
    pending.length === 0 ? 'up to date' : `${pending.length} pending: ${pending.join(', ')}. Run: npm run migrate.`;
  return { check: 'migrations', ok: pending.length === 0, message };
}
