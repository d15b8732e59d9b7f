import { MIGRATION_NAMES } from '../../../database/schema/migrate.js';
import { FORMAT, FORMAT_VERSION, type Header } from '../backup-format.js';
import { KINDS_OF_CELLS } from '../cells.js';
import { TransferError } from '../../transfer-error.js';

/** Names end up in statements. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * The first line of a file, when it is that of a backup that this version can restore.
 *
 * @throws {TransferError}
 */
export function headerIn(content: unknown, file: string): Header {
  const header = (content ?? {}) as Partial<Record<keyof Header, unknown>>;
  const { format, version, app, migrations, tables, next_ids: nextIds } = header;
  if (format !== FORMAT) throw notABackup(file);
  requireKnown(version === FORMAT_VERSION, file, app);
  if (!isListOf(migrations, isText) || !isListOf(tables, isLayout) || !isNextIds(nextIds)) throw notABackup(file);
  requireKnown(
    migrations.every((name, index) => name === MIGRATION_NAMES[index]),
    file,
    app,
  );
  return content as Header; // all of it has been looked at
}

export function notABackup(file: string, cause?: unknown): TransferError {
  return new TransferError('backup_unsound', `The file ${file} is no backup of this service.`, { cause });
}

function requireKnown(isKnown: boolean, file: string, app: unknown): void {
  if (isKnown) return;
  throw new TransferError(
    'backup_of_other_version',
    `The backup ${file} was made by version ${String(app)} of the service, whose tables this version does not know. Restore it with that version.`,
  );
}

function isLayout(value: unknown): boolean {
  const { name, columns, key } = (value ?? {}) as Partial<Record<string, unknown>>;
  return isName(name) && isListOf(columns, isColumn) && isListOf(key, isName) && key.length > 0;
}

function isNextIds(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.entries(value).every(isNextId);
}

function isNextId([name, next]: [string, unknown]): boolean {
  return isName(name) && Number.isSafeInteger(next) && Number(next) > 0;
}

function isColumn(value: unknown): boolean {
  const { name, kind } = (value ?? {}) as Partial<Record<string, unknown>>;
  return isName(name) && KINDS_OF_CELLS.has(kind);
}

function isName(value: unknown): boolean {
  return isText(value) && NAME.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, isRight: (element: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isRight);
}
