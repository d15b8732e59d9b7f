import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { readerOf, Reads, type Reader } from '../../database/statements/reads.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import { type NewRecord, RecordImports } from '../../records/record-imports.js';
import { withoutEmpty, withReplaced } from '../../records/rows/record-row.js';
import { initialState, mergedState, requireSize, stateOf } from '../../records/writing/record-state.js';
import { RecordWriter, type Attempt } from '../../records/writing/record-writer.js';
import type { Authorship } from '../../records/rows/actors.js';
import { holdByIds } from '../../taxonomy/assignment/held-terms.js';
import type { ReadyItem } from './preparation.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { insertRows } from '../../database/statements/statement-queue.js';

/** The result of an item in a batch. */
export interface Done {
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** The slug, where it is not the one that was wanted. */
  readonly slug: string | null;
}

interface Known {
  readonly ready: ReadyItem;
  readonly known: KnownItem;
}

/** The part of an import that one unit of work writes. */
export interface Batch {
  readonly source: string;
  readonly authorship: Authorship;
  readonly items: readonly ReadyItem[];
  readonly unchanged?: undefined;
}

/** Results of the items of a batch, in their order. */
interface Written<What> {
  readonly batch: What;
  readonly done: readonly Done[];
}

/** Writes items in one unit of work: the records, all that belongs to them, and where they came from. */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly writer: RecordWriter,
    private readonly imports: RecordImports,
    private readonly dialect: Dialect,
    private readonly reads: Reads,
  ) {}

  /** Records that some items became when they were imported last, by their keys. */
  known(source: string, items: readonly ReadyItem[]): Promise<ReadonlyMap<string, KnownItem>> {
    return knownItems(this.reads, source, items);
  }

  /** The pace of the units of one import; a dry run has none that would keep others waiting. */
  pace({ isDryRun }: { readonly isDryRun: boolean }): UnitPace {
    return new UnitPace({ hasOneLock: this.dialect.hasOneWriter && !isDryRun });
  }

  /** Plans a batch and writes it, again where another writer was faster. @param plan on the type as it is by then */
  write<What extends Batch>(
    type: CompiledType,
    { pace, weight }: { readonly pace: UnitPace; readonly weight: number },
    plan: (type: CompiledType) => Promise<What>,
  ): Promise<Written<What>> {
    return pace.run(weight, (begun) => this.writer.write(type, plan, (attempt) => this.batch(attempt, begun)));
  }

  private async batch<What extends Batch>(attempt: Attempt<What>, begun: () => void): Promise<Written<What>> {
    begun();
    const { manager, plan } = attempt;
    const ready = await this.held(manager, plan.items);
    const known = await knownItems(readerOf(manager), plan.source, ready);
    const fresh = ready.filter(({ key }) => !known.has(key));
    const changed = ready.flatMap((one) => {
      const before = known.get(one.key);
      return before && before.hash !== one.hash ? [{ ready: one, known: before }] : [];
    });
    const done = new Map([...(await this.create(attempt, fresh)), ...(await this.update(attempt, changed))]);
    return { batch: plan, done: plan.items.map(({ key }) => done.get(key) ?? { result: 'unchanged', slug: null }) };
  }

  private async create(
    { manager, type, plan: { authorship, source } }: Attempt<Batch>,
    items: readonly ReadyItem[],
  ): Promise<[string, Done][]> {
    const records = items.map((item): NewRecord => {
      const state = { ...initialState(type, item.body, authorship.at), terms: item.termIds };
      requireSize(type, state);
      return {
        state,
        createdAt: item.item.createdAt === null ? authorship.at : Math.min(item.item.createdAt, authorship.at),
      };
    });
    const written = await this.imports.insert(manager, type, records, authorship);
    const taken = items.map(({ key, hash }, at) => ({ key, hash, recordId: written[at]?.id ?? 0 }));
    await noteItems(manager, source, taken);
    return items.map(({ key, body }, at) => {
      const slug = written[at]?.slug ?? null;
      return [key, { result: 'created', slug: slug === body.slug || body.slug === undefined ? null : slug }];
    });
  }

  /** The file has changed since it was imported last, so it has the word; of what it does not name everything stays. */
  private async update(
    { manager, type, plan: { authorship, source } }: Attempt<Batch>,
    items: readonly Known[],
  ): Promise<[string, Done][]> {
    const rows = await this.imports.rows(
      manager,
      items.map(({ known }) => known.recordId),
    );
    const done: [string, Done][] = [];
    for (const { ready, known } of items) {
      const row = rows.get(known.recordId);
      if (row?.trashed_at !== 0) {
        done.push([ready.key, { result: 'deleted', slug: null }]);
        continue;
      }
      const { slug: _slug, ...body } = ready.body;
      const merged = mergedState(type, row, { ...body, terms: ready.termIds }, authorship.at);
      requireSize(type, merged, stateOf(row));
      const state = { ...merged, terms: withoutEmpty({ ...merged.terms, ...ready.termIds }) };
      const isChanged = await this.imports.update(manager, type, { row, state, authorship });
      await noteChange(manager, source, { ...ready, recordId: known.recordId });
      done.push([ready.key, { result: isChanged ? 'updated' : 'unchanged', slug: null }]);
    }
    return done;
  }

  /** Terms can be merged or deleted until a unit of work holds them. */
  private async held(manager: EntityManager, items: readonly ReadyItem[]): Promise<ReadyItem[]> {
    const ids = new Set(items.flatMap(({ termIds }) => Object.values(termIds).flat()));
    const found = await holdByIds(
      manager,
      [...ids].toSorted((a, b) => a - b),
      this.dialect.lockInShareMode,
    );
    const termFor = (id: number) => found.get(id)?.id ?? null;
    return items.map((item) => ({ ...item, termIds: withReplaced(item.termIds, termFor) }));
  }
}

/** The record that an item became when it was imported last. */
interface KnownItem {
  readonly recordId: number;
  readonly hash: string;
}

/** An item that has become a record. */
interface TakenItem extends KnownItem {
  /** As {@link externalKey} makes it. */
  readonly key: string;
}

interface Row {
  readonly external_key: string;
  readonly record_id: number | string;
  readonly content_hash: string;
}

/** Items of a source that were imported before, by their keys. */
async function knownItems(
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

async function noteItems(manager: EntityManager, source: string, items: readonly TakenItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ key, recordId, hash }) => [source, key, recordId, hash]);
  const into = 'INSERT INTO record_sources (source, external_key, record_id, content_hash)';
  await insertRows(manager, into, rows, { write: execute });
}

async function noteChange(manager: EntityManager, source: string, { key, hash }: TakenItem): Promise<void> {
  await execute(manager, 'UPDATE record_sources SET content_hash = ? WHERE source = ? AND external_key = ?', [
    hash,
    source,
    key,
  ]);
}
