import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitPace, weightOf } from '../../database/units/unit-pace.js';
import { lengthOf } from '../formats/import-entry.js';
import { type NewRecord } from '../../records/import-slugs.js';
import { RecordImports } from '../../records/record-imports.js';
import type { TermIds } from '../../records/rows/record-row.js';
import { initialState, mergedState, requireSize, stateOf } from '../../records/writing/record-state.js';
import { RecordWriter } from '../../records/writing/record-writer.js';
import type { Authorship } from '../../records/writing/authorships.js';
import { withoutEmpty, withReplaced } from '../../records/terms/term-ids.js';
import { holdByIds } from '../../taxonomy/assignment/held-terms.js';
import type { PreparedItem } from './prepared-item.js';
import { knownItems, noteChange, noteItems, within, type KnownItem } from './record-sources.js';

/** An item whose terms are known. */
export interface ReadyItem extends PreparedItem {
  readonly termIds: TermIds;
}

/** What became of an item in a batch. */
export interface Done {
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** The slug, where it is not the one that was wanted. */
  readonly slug: string | null;
}

interface Known {
  readonly ready: ReadyItem;
  readonly known: KnownItem;
}

interface Batch {
  readonly type: CompiledType;
  readonly source: string;
  readonly authorship: Authorship;
  readonly pace: UnitPace;
}

/** Writes items in one unit of work: the records, all that belongs to them, and where they came from. */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly writer: RecordWriter,
    private readonly imports: RecordImports,
    private readonly dialect: Dialect,
  ) {}

  /** How much goes into each unit of one import; a dry run has none that would keep others waiting. */
  pace({ isDryRun }: { readonly isDryRun: boolean }): UnitPace {
    return new UnitPace({ hasOneLock: this.dialect.hasOneWriter && !isDryRun });
  }

  /** @returns what became of each item, in the same order */
  write(batch: Batch, items: readonly ReadyItem[]): Promise<Done[]> {
    const weight = items.reduce((sum, { item }) => sum + weightOf(lengthOf(item)), 0);
    return batch.pace.run(weight, (begun) => this.unit(batch, items, begun));
  }

  private unit(batch: Batch, items: readonly ReadyItem[], begun: () => void): Promise<Done[]> {
    return this.writer.unit(batch.type, async (manager) => {
      begun();
      const ready = await this.held(manager, items);
      const known = await knownItems(
        within(manager),
        batch.source,
        ready.map(({ key }) => key),
      );
      const done = new Map<string, Done>();
      for (const { key, hash } of ready) {
        if (known.get(key)?.hash === hash) done.set(key, { result: 'unchanged', slug: null });
      }
      const fresh = ready.filter(({ key }) => !known.has(key));
      const changed = ready.flatMap((one) => {
        const before = known.get(one.key);
        return before && before.hash !== one.hash ? [{ ready: one, known: before }] : [];
      });
      for (const [key, one] of await this.create(manager, batch, fresh)) done.set(key, one);
      for (const [key, one] of await this.update(manager, batch, changed)) done.set(key, one);
      return items.map(({ key }) => done.get(key) ?? { result: 'unchanged', slug: null });
    });
  }

  private async create(manager: EntityManager, batch: Batch, items: readonly ReadyItem[]): Promise<[string, Done][]> {
    const { type, authorship, source } = batch;
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
  private async update(manager: EntityManager, batch: Batch, items: readonly Known[]): Promise<[string, Done][]> {
    const { type, authorship, source } = batch;
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
