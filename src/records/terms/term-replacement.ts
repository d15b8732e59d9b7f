import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { ContentTypes } from '../../content-types/content-types.service.js';
import { Reads } from '../../database/reads.js';
import { RecordChanges } from '../writing/record-changes.js';
import { TERMS_KEY } from '../writing/record-index.js';
import { RecordReader } from '../record-reader.js';
import { stateOf } from '../writing/record-state.js';
import { Stamps } from '../writing/stamps.js';
import { withReplaced } from './term-ids.js';

const BATCH = 500;

/** A record that holds a term, at its place in the index. */
interface Holder {
  readonly id: number;
  readonly typeId: number;
  readonly sortAt: number;
}

interface HolderRow {
  readonly record_id: number | string;
  readonly type_id: number | string;
  readonly sort_at: number | string;
}

/** Takes a term away from all records that hold it, or puts another one in its place. */
@Injectable()
export class TermReplacement {
  constructor(
    private readonly reads: Reads,
    private readonly types: ContentTypes,
    private readonly reader: RecordReader,
    private readonly changes: RecordChanges,
    private readonly stamps: Stamps,
  ) {}

  /** Each record is an ordinary write with a revision of its own. Can be repeated after an interruption. */
  async replace(termId: number, into: number | null, caller: Caller): Promise<void> {
    let last: Holder = { id: 0, typeId: 0, sortAt: Number.MIN_SAFE_INTEGER };
    for (;;) {
      const holders = await this.holders(termId, last);
      for (const holder of holders) await this.replaceIn(holder, termId, into, caller);
      last = holders.at(-1) ?? last;
      if (holders.length < BATCH) return;
    }
  }

  /** The next records that hold a term, in the order of the index. */
  private async holders(termId: number, { sortAt, id }: Holder): Promise<readonly Holder[]> {
    const rows = await this.reads.select<HolderRow>(
      `SELECT f.record_id, f.sort_at, r.type_id
         FROM record_fields f JOIN records r ON r.id = f.record_id
        WHERE f.field_id = ? AND f.num = ? AND f.sort_at >= ? AND (f.sort_at > ? OR f.record_id > ?)
        ORDER BY f.sort_at, f.record_id LIMIT ${BATCH}`,
      [TERMS_KEY, termId, sortAt, sortAt, id],
    );
    return rows.map((row) => ({
      id: Number(row.record_id),
      typeId: Number(row.type_id),
      sortAt: Number(row.sort_at),
    }));
  }

  private async replaceIn({ id, typeId }: Holder, termId: number, into: number | null, caller: Caller): Promise<void> {
    const type = await this.types.byId(typeId);
    // The records of a type that is gone are about to go as well.
    if (!type) return;
    try {
      await this.changes.change(type, id, async (current) => {
        const row = await this.reader.requireById(current, id);
        const state = stateOf(row);
        const terms =
          row.trashed_at === 0 ? withReplaced(state.terms, (own) => (own === termId ? into : own)) : state.terms;
        return { row, state: { ...state, terms }, stamp: await this.stamps.after(row, caller) };
      });
    } catch (error) {
      // Removed for good meanwhile, and the term with it.
      if (!(error instanceof DomainError) || error.error !== 'record_not_found') throw error;
    }
  }
}
