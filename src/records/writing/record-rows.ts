import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { sortKey } from '../../common/text/fold.js';
import { noteWritten } from '../../content-types/changes/type-watches.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { execute, select, type SqlValue } from '../../database/statements/statement.js';
import { executeCounted, insertLater } from '../../database/statements/statement-queue.js';
import type { RecordRow } from '../rows/record-row.js';
import type { Authorship } from '../rows/actors.js';
import type { RecordState, WrittenRow } from './record-state.js';
import { LostRaceError } from './record-writer.js';

/** Columns that stay as they are if a write says nothing of them. */
const CONTENT_COLUMNS = ['locale', 'slug', 'title', 'status', 'published_at', 'first_published_at'] as const;

/** A record that exists, as it was read, and what is to become of it. */
type Rewrite = Readonly<{ row: RecordRow; next: WrittenRow }>;

/**
 * Writes the narrow row of a new record, which says whether its address is free.
 *
 * @returns the id of the record
 * @throws {DomainError} `slug_taken`, and the unit has to end: on a server it keeps others away from that slug
 */
export async function insertRecord(
  manager: EntityManager,
  type: CompiledType,
  state: RecordState,
  { actor, at }: Authorship,
  dialect: Dialect,
): Promise<number> {
  const { locale, slug, title, status, publishedAt } = state;
  try {
    const id = await insertLater(
      manager,
      `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at)
       VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, 0)`,
      [type.id, locale, slug, title, sortKey(title), status, actor, actor, at, at, publishedAt],
    );
    await requireOwnAddress(manager, type, state, dialect);
    return await id();
  } catch (error) {
    throw asSlugTaken(error, type, state);
  }
}

/** The failure of a statement that writes a slug: `slug_taken` where the unique index refuses it. */
function asSlugTaken(cause: unknown, { name }: CompiledType, { slug }: { readonly slug: string }): unknown {
  if (!isUniqueViolation(cause)) return cause;
  return new DomainError('slug_taken', `Another ${name} has the slug "${slug}". Choose another one.`, { cause });
}

/**
 * The narrow row of a record that exists. Columns that stay as they are do not stand in the statement: SQLite writes the
 * entry of each index anew that has one which does.
 *
 * @returns how many rows there were: none if the record has another version by now
 * @throws {LostRaceError} it has another version, and that need not wait
 * @throws {DomainError} `slug_taken`
 */
export async function rewriteRecord(
  manager: EntityManager,
  type: CompiledType,
  { row, next }: Rewrite,
  dialect: Dialect,
): Promise<() => Promise<number>> {
  const changes = changedColumns(row, next);
  const isMoved = 'slug' in changes || 'locale' in changes;
  // Only a slug and values in the index can be refused. If they stay, no answer for the row alone is needed.
  const canWait = !isMoved && next.data === row.data && next.terms === row.terms;
  try {
    const affected = await executeCounted(
      manager,
      `UPDATE records SET ${Object.keys(changes).join(' = ?, ')} = ?, version = version + 1
        WHERE id = ? AND version = ? AND trashed_at = 0`,
      [...Object.values(changes), row.id, row.version],
    );
    if (isMoved) {
      // The row may still have the earlier address, if another write came first.
      await requireOwnAddress(manager, type, next, dialect);
      await noteWritten(manager, type, [row.id]);
    }
    if (!canWait && (await affected()) === 0) throw new LostRaceError();
    return affected;
  } catch (error) {
    throw asSlugTaken(error, type, next);
  }
}

function changedColumns(row: RecordRow, next: WrittenRow): Readonly<Record<string, SqlValue>> {
  const changes: Record<string, SqlValue> = { updated_by: next.updated_by, updated_at: next.updated_at };
  for (const column of CONTENT_COLUMNS) if (next[column] !== row[column]) changes[column] = next[column];
  if ('title' in changes) changes.title_key = sortKey(next.title);
  return changes;
}

/**
 * The narrow row of a record that leaves the trash, if it is still there at that version.
 *
 * @throws {LostRaceError} it is not
 * @throws {DomainError} `slug_taken`
 */
export async function restoreRecord(
  manager: EntityManager,
  type: CompiledType,
  { row, next }: Rewrite,
  dialect: Dialect,
): Promise<void> {
  const isWithdrawn = next.status !== row.status;
  const columns = isWithdrawn ? ', status = ?, published_at = NULL, first_published_at = ?' : '';
  const { affected } = await execute(
    manager,
    `UPDATE records SET trashed_at = 0, slug = ?${columns}, updated_by = ?, updated_at = ?, version = version + 1
      WHERE id = ? AND version = ? AND trashed_at > 0`,
    [
      next.slug,
      ...(isWithdrawn ? [next.status, next.first_published_at] : []),
      ...[next.updated_by, next.updated_at, row.id, row.version],
    ],
  ).catch((error: unknown) => {
    throw asSlugTaken(error, type, next);
  });
  if (affected === 0) throw new LostRaceError();
  await requireOwnAddress(manager, type, next, dialect);
}

/**
 * Sees to it that no record of the type has the address which a record has just got. The unique index distinguishes
 * locales, so it does not see what a type does not distinguish in its addresses. Two units that write one address at the
 * same time wait for each other's row here, and the one that the server ends runs again.
 *
 * @param address with the id of the record, if it has one already
 * @throws {DomainError} `slug_taken`
 */
async function requireOwnAddress(
  manager: EntityManager,
  type: CompiledType,
  { id = 0, slug, locale }: Pick<RecordState, 'slug' | 'locale'> & { readonly id?: number },
  dialect: Dialect,
): Promise<void> {
  if (!type.sharesAddresses) return;
  // Nothing but what units of others write at this address is waited for: a condition on the locale would have the server
  // lock the next slug too. The version stands in no index: a server that reads an index alone locks no record.
  const found = await select<{ id: number; locale: string }>(
    manager,
    `SELECT id, locale, version FROM records${dialect.byIndex('u_records_slug')}
      WHERE type_id = ? AND slug = ?${dialect.lockInShareMode}`,
    [type.id, slug],
  );
  const other = found.find((record) => record.locale !== locale && record.id !== id);
  if (other) throw addressTaken(type, slug, other.locale);
}

function addressTaken({ name }: CompiledType, slug: string, locale: string): DomainError {
  const message =
    `The ${name} "${slug}" in the locale ${locale} has that address. ` +
    'Choose another slug, or have {locale} in the url_path of the type.';
  return new DomainError('slug_taken', message);
}
