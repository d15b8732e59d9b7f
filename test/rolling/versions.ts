import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { builtService } from '../support/built-service.js';
import { ROOT } from '../support/documented-steps.js';

const PARTS = ['src', 'scripts/bundle.mjs', 'package.json'];
const INDEX = 'src/database/migrations/index.ts';
/** Below the packages, which it is built with. */
const FOLDER = join(ROOT, 'node_modules/.cache/rolling');

/** The number of {@link nextRelease}. */
const NEXT = '99.0.0';

/** A version of the service that can be started. */
export interface Version {
  /** As {@link builtService} gives it. */
  readonly build: string;
  /** Names of its migrations. */
  readonly migrations: readonly string[];
}

/** Today's sources under a later version, with a migration more. */
export function nextRelease(): Version {
  const folder = freshFolder('next');
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const index = join(folder, INDEX);
  change(index, /(?=^export const migrations)/m, `${EXPANSION}\n`);
  change(index, /(?<=export const migrations = \[[^\]]*)(?=\])/, ', ExpandReadingTimes1999000000001');
  change(join(folder, 'package.json'), /(?<="version": ")[^"]*/, NEXT);
  return { build: builtService(folder), migrations: [...MIGRATION_NAMES, 'ExpandReadingTimes1999000000001'] };
}

const EXPANSION = `
class ExpandReadingTimes1999000000001 {
  async up(runner) {
    await runner.query('CREATE TABLE reading_times (record_id bigint NOT NULL PRIMARY KEY, seconds int NULL)');
    await runner.query('ALTER TABLE records ADD COLUMN reading_seconds int NULL');
  }
  async down(runner) {
    await runner.query('ALTER TABLE records DROP COLUMN reading_seconds');
    await runner.query('DROP TABLE reading_times');
  }
}
`;

function freshFolder(name: string): string {
  const folder = join(FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** @throws where there is nothing like that in the file */
function change(file: string, pattern: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8');
  if (!pattern.test(before)) throw new Error(`${file} has nothing like ${pattern.source}.`);
  writeFileSync(file, before.replace(pattern, text));
}
