import { existsSync } from 'node:fs';
import type { DatabaseAddress } from '../../config/values/database-url.js';
import { isLoopback } from '../../config/values/loopback.js';
import { SettingsError, type Settings } from '../../config/settings.js';
import { openNamed } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import type { Check, OpenDatabase, CheckResult, Service } from './check.js';
import { migrationsCheck, clockCheck, jobsCheck, lettersCheck } from './database-checks.js';
import { nodeCheck, diskCheck, gatewayCheck, mailCheck, settingsCheck } from './settings-checks.js';
import { adminsCheck, secretCheck, tokensCheck, usersCheck } from './account-checks.js';
import { countsCheck, fieldsCheck, searchCheck } from './derived-checks.js';
import { revisionsCheck, historiesCheck } from './revision-checks.js';
import { sequencesCheck, ownerlessCheck, treesCheck, typesCheck, contentsCheck } from './content-checks.js';
import { fileCheck } from './file-check.js';
import { serversCheck } from './servers-check.js';

/** Checks of the settings alone, in the order of the answer. */
const SETTINGS_CHECKS: readonly Check<Settings>[] = [settingsCheck, mailCheck, gatewayCheck, diskCheck];

/**
 * Checks of the database once its tables are those of this version, in the order of the answer. What is counted by others
 * is repaired before them: terms are counted by the side index.
 */
const DATABASE_CHECKS: readonly Check<OpenDatabase>[] = [
  secretCheck,
  serversCheck,
  fileCheck,
  clockCheck,
  jobsCheck,
  lettersCheck,
  adminsCheck,
  usersCheck,
  tokensCheck,
  typesCheck,
  ownerlessCheck,
  treesCheck,
  fieldsCheck,
  countsCheck,
  searchCheck,
  revisionsCheck,
  sequencesCheck,
  contentsCheck,
  historiesCheck,
];

/** What one check found. */
export interface Finding extends CheckResult {
  readonly check: string;
  /** It says what was done, and not what is so. */
  readonly repaired?: true;
}

/** Runs the checks one after the other, as far as those before them allow. */
export class Examination {
  private readonly findings: Finding[] = [];

  /**
   * @param isDeep whether checks that read all of the content run, too
   * @param service what repairs are made with; `null`: none is made
   */
  constructor(
    private readonly isDeep: boolean,
    private readonly service: Service | null,
  ) {}

  /** @param read of {@link SettingsError}, where the service would not start on them */
  async run(read: () => Settings): Promise<readonly Finding[]> {
    await this.take(nodeCheck, process.versions.node);
    const settings = this.settings(read);
    if (settings) {
      for (const check of SETTINGS_CHECKS) await this.take(check, settings);
      await this.database(settings);
    }
    return this.findings;
  }

  private settings(read: () => Settings): Settings | null {
    try {
      const settings = read();
      this.add('settings', { ok: true, message: `mode ${settings.mode}` });
      return settings;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const fault of error.faults) this.add('settings', refused(fault));
      if (error.hint !== null) this.add('settings', { ok: false, message: error.hint });
      return null;
    }
  }

  private async database(settings: Settings): Promise<void> {
    const { database: address } = settings;
    // To open a file that is not there would make it.
    if (address.kind === 'sqlite' && !existsSync(address.file)) {
      this.add('database', { ok: false, message: `${address.file} is not there yet. Run: npm run migrate.` });
      return;
    }
    const dialect = dialectFor(address);
    try {
      const source = await openNamed(dialect.label, dialect.readerOptions());
      try {
        await requireRestored(source);
        this.add('database', { ok: true, message: `${dialect.label}${wayTo(address)}` });
        await this.contents({ source, dialect, settings });
      } finally {
        await source.destroy();
      }
    } catch (error) {
      this.add('database', refused(messageOf(error)));
    }
  }

  private async contents(database: OpenDatabase): Promise<void> {
    const areTablesRight = await this.take(migrationsCheck, database);
    if (!areTablesRight) return;
    for (const check of DATABASE_CHECKS) {
      if (this.isDeep || !check.isDeep) await this.take(check, database);
    }
  }

  private async take<Subject>(check: Check<Subject>, subject: Subject): Promise<boolean> {
    let seen = await outcomeOf(check, subject, this.isDeep);
    if (this.service !== null && check.repair && seen.some(({ ok }) => !ok)) {
      await this.repair(check, subject, this.service);
      // Also where nothing was done: another process may have been faster.
      seen = await outcomeOf(check, subject, this.isDeep);
    }
    for (const one of seen) this.add(check.name, one);
    return seen.every(({ ok }) => ok);
  }

  private async repair<Subject>(check: Check<Subject>, subject: Subject, service: Service): Promise<void> {
    try {
      const done = (await check.repair?.(subject, service, this.isDeep)) ?? [];
      for (const message of done) this.findings.push({ check: check.name, ok: true, message, repaired: true });
    } catch (error) {
      this.add(check.name, { ok: false, message: `The repair failed: ${messageOf(error)}` });
    }
  }

  private add(check: string, { ok, message }: CheckResult): void {
    this.findings.push({ check, ok, message });
  }
}

async function outcomeOf<Subject>(
  check: Check<Subject>,
  subject: Subject,
  isDeep: boolean,
): Promise<readonly CheckResult[]> {
  try {
    return await check.look(subject, isDeep);
  } catch (error) {
    return [{ ok: false, message: messageOf(error) }];
  }
}

/** How the way to a database server is, where it is one. */
function wayTo(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return '';
  if (address.tls) return ', encrypted';
  const isNear = isLoopback(new URL(address.url).hostname);
  return isNear ? '' : ', not encrypted: to have it so, set DATABASE_TLS=on or to the file of your authority';
}

function refused(reason: string): CheckResult {
  return { ok: false, message: `npm start would refuse: ${reason}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
