import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Reads } from '../../database/statements/reads.js';
import { TERMS_KEY, withReplaced, type TermIds } from '../rows/record-row.js';
import { TermRewriteBatches } from './term-rewrite-batches.js';

const BATCH = 500;

/** A record that holds a term, at its place in the index. */
interface HoldingRecord {
  readonly id: number;
  readonly typeId: number;
  readonly sortAt: number;
}

interface HoldingRecordRow {
  readonly record_id: number | string;
  readonly type_id: number | string;
  readonly sort_at: number | string;
}

/** Takes a term away from all records that hold it, or puts another one in its place. */
@Injectable()
export class TermReplacement {
  constructor(
    private readonly reads: Reads,
    private readonly rewrites: TermRewriteBatches,
  ) {}

  /** Each record is an ordinary write with a revision of its own. Can be repeated after an interruption. */
  async replace(termId: number, into: number | null, caller: Caller): Promise<void> {
    const replaced = (terms: TermIds): TermIds => withReplaced(terms, (own) => (own === termId ? into : own));
    let last: HoldingRecord = { id: 0, typeId: 0, sortAt: Number.MIN_SAFE_INTEGER };
    for (;;) {
      const holders = await this.holders(termId, last);
      await this.rewrites.rewrite(holders, (_type, terms) => replaced(terms), caller);
      last = holders.at(-1) ?? last;
      if (holders.length < BATCH) return;
    }
  }

  /** The next records that hold a term, in the order of the index. */
  private async holders(termId: number, { sortAt, id }: HoldingRecord): Promise<readonly HoldingRecord[]> {
    const rows = await this.reads.select<HoldingRecordRow>(
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
}
