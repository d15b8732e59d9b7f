import type { EntityManager } from 'typeorm';
import { sortKey } from '../../common/text/fold.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { execute, type SqlValue, type Written } from '../../database/statements/statement.js';
import { executeCounted } from '../../database/statements/statement-queue.js';
import type { RecordRow } from '../rows/record-row.js';
import type { Authorship } from './authorships.js';
import { firstPublishedAt, type RecordState } from './record-state.js';

/** A record that exists, as it was read, and what is to become of it. */
type Rewrite = Readonly<{ row: RecordRow; state: RecordState; authorship: Authorship }>;

/** The statement that writes the narrow row of a new record, and its values. */
export function insertedRow(type: CompiledType, state: RecordState, { actor, at }: Authorship): [string, SqlValue[]] {
  const { locale, slug, title, status, publishedAt } = state;
  return [
    `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, 0)`,
    [type.id, locale, slug, title, sortKey(title), status, actor, actor, at, at, publishedAt],
  ];
}

/**
 * The narrow row of a record that exists. Resolves to how many there were: none, where it has another version by now.
 * Columns that stay as they are do not stand in the statement: SQLite writes the entry of each index anew that has one
 * which does.
 */
export function rewriteRow(
  manager: EntityManager,
  { row, state, authorship }: Rewrite,
): Promise<() => Promise<number>> {
  const changes = changedColumns(row, state);
  return executeCounted(
    manager,
    `UPDATE records SET ${changes.map(([column]) => `${column} = ?, `).join('')}updated_by = ?, updated_at = ?, version = version + 1
      WHERE id = ? AND version = ? AND trashed_at = 0`,
    [...changes.map(([, value]) => value), authorship.actor, authorship.at, row.id, row.version],
  );
}

/** The narrow row of a record that leaves the trash, if it is still there at that version. */
export function restoreRow(manager: EntityManager, { row, state, authorship }: Rewrite): Promise<Written> {
  const isWithdrawn = state.status !== row.status;
  const columns = isWithdrawn ? ', status = ?, published_at = NULL, first_published_at = ?' : '';
  return execute(
    manager,
    `UPDATE records SET trashed_at = 0, slug = ?${columns}, updated_by = ?, updated_at = ?, version = version + 1
      WHERE id = ? AND version = ? AND trashed_at > 0`,
    [
      state.slug,
      ...(isWithdrawn ? [state.status, firstPublishedAt(row, state)] : []),
      ...[authorship.actor, authorship.at, row.id, row.version],
    ],
  );
}

function changedColumns(row: RecordRow, state: RecordState): [column: string, value: SqlValue][] {
  const changes: [string, SqlValue][] = [];
  if (state.locale !== row.locale) changes.push(['locale', state.locale]);
  if (state.slug !== row.slug) changes.push(['slug', state.slug]);
  if (state.title !== row.title) changes.push(['title', state.title], ['title_key', sortKey(state.title)]);
  if (state.status !== row.status) changes.push(['status', state.status]);
  if (state.publishedAt !== row.published_at) changes.push(['published_at', state.publishedAt]);
  const first = firstPublishedAt(row, state);
  if (first !== row.first_published_at) changes.push(['first_published_at', first]);
  return changes;
}
