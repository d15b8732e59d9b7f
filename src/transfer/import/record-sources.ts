import type { EntityManager } from 'typeorm';
import type { Reader } from '../../database/statements/reads.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { insertRows } from '../../database/statements/statement-queue.js';

/** The record that an item became when it was imported last. */
export interface KnownItem {
  readonly recordId: number;
  readonly hash: string;
}

/** An item that has become a record. */
export interface TakenItem extends KnownItem {
  /** As {@link externalKey} makes it. */
  readonly key: string;
}

interface Row {
  readonly external_key: string;
  readonly record_id: number | string;
  readonly content_hash: string;
}

/** Items of a source that were imported before, by their keys. */
export async function knownItems(
  reader: Reader,
  source: string,
  items: readonly { readonly key: string }[],
): Promise<ReadonlyMap<string, KnownItem>> {
  if (items.length === 0) return new Map();
  const keys = items.map(({ key }) => key);
  const rows = await reader.select<Row>(
    `SELECT external_key, record_id, content_hash FROM record_sources WHERE source = ? AND external_key IN (${placeholders(keys)})`,
    [source, ...keys],
  );
  return new Map(rows.map((row) => [row.external_key, { recordId: Number(row.record_id), hash: row.content_hash }]));
}

export async function noteItems(manager: EntityManager, source: string, items: readonly TakenItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ key, recordId, hash }) => [source, key, recordId, hash]);
  const into = 'INSERT INTO record_sources (source, external_key, record_id, content_hash)';
  await insertRows(manager, into, rows, { write: execute });
}

export async function noteChange(manager: EntityManager, source: string, { key, hash }: TakenItem): Promise<void> {
  await execute(manager, 'UPDATE record_sources SET content_hash = ? WHERE source = ? AND external_key = ?', [
    hash,
    source,
    key,
  ]);
}
