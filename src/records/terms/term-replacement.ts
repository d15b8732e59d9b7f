import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { RemovedTaxonomy } from '../../content-types/store/known-taxonomies.port.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import type { Position } from '../../content-types/store/type-usage.port.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import { TERMS_KEY, withOnly, withReplaced } from '../rows/record-row.js';
import { nextPositions } from '../types/type-walk.js';
import { TermRewrites, type TermChange } from './term-rewrites.js';

const BATCH = 500;
/** Units that share a commit: each may have a record of a megabyte in memory. */
const MOST_ON_FILE = 16;
/** Connections to MySQL or MariaDB that are taken at once: most of them are left to requests. */
const MOST_ON_SERVER = 4;

/** A record that holds a term. */
interface HoldingRecord {
  readonly id: number;
  readonly typeId: number;
}

type HoldingRow = Readonly<Record<'id' | 'type_id' | 'sort_at', number | string>>;

/**
 * Takes terms away from all records that hold them, or puts others in their place. Each record is an ordinary write
 * with a revision of its own. All of it can be repeated after an interruption.
 */
@Injectable()
export class TermReplacement {
  private readonly pace: UnitPace;
  private readonly most: number;

  constructor(
    private readonly types: ContentTypesService,
    private readonly rewrites: TermRewrites,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {
    const { hasOneWriter } = dialect;
    this.most = hasOneWriter ? MOST_ON_FILE : MOST_ON_SERVER;
    this.pace = new UnitPace({ hasOneLock: hasOneWriter, most: this.most });
  }

  /** A term, by another one or by none, in the order of the index. */
  async replace(termId: number, into: number | null, caller: Caller): Promise<void> {
    let [sortAt, last] = [Number.MIN_SAFE_INTEGER, 0];
    for (;;) {
      const rows = await this.reads.select<HoldingRow>(
        `SELECT f.record_id AS id, f.sort_at, r.type_id
           FROM record_fields f JOIN records r ON r.id = f.record_id
          WHERE f.field_id = ? AND f.num = ? AND f.sort_at >= ? AND (f.sort_at > ? OR f.record_id > ?)
          ORDER BY f.sort_at, f.record_id LIMIT ${BATCH}`,
        [TERMS_KEY, termId, sortAt, sortAt, last],
      );
      const holders = rows.map(({ id, type_id: typeId }) => ({ id: Number(id), typeId: Number(typeId) }));
      const change: TermChange = (_type, terms) => withReplaced(terms, (own) => (own === termId ? into : own));
      await this.rewrite(holders, change, caller);
      if (rows.length < BATCH) return;
      [sortAt, last] = [Number(rows.at(-1)?.sort_at), Number(rows.at(-1)?.id)];
    }
  }

  /**
   * The terms of a taxonomy that a type no longer has, of its next records. Records in the trash keep their terms; when
   * they are restored, those of taxonomies that their type lacks are left out.
   */
  async withdraw(
    { typeId, taxonomy }: RemovedTaxonomy,
    after: Position | null,
    caller: Caller,
  ): Promise<Position | null> {
    const positions = await nextPositions(this.reads, this.dialect, typeId, after);
    const live = positions.filter(({ trashedAt }) => trashedAt === 0).map(({ id }) => id);
    const rows =
      live.length === 0
        ? []
        : await this.reads.select<Pick<HoldingRow, 'id'>>(
            `SELECT DISTINCT record_id AS id FROM record_fields
        WHERE record_id IN (${placeholders(live)}) AND field_id = ? AND str = ?`,
            [...live, TERMS_KEY, taxonomy],
          );
    await this.rewrite(
      rows.map(({ id }) => ({ id: Number(id), typeId })),
      // The type may have the taxonomy again by now, and the record new terms of it.
      (type, terms) => (type.taxonomies.includes(taxonomy) ? terms : withOnly(terms, (name) => name !== taxonomy)),
      caller,
    );
    return live.length < positions.length ? null : (positions.at(-1) ?? null);
  }

  /**
   * Several records at a time: on SQLite they share commits, on MySQL and MariaDB none waits for the commit of another. When it
   * ends, with a failure or without, none is under way any more.
   */
  private async rewrite(records: readonly HoldingRecord[], change: TermChange, caller: Caller): Promise<void> {
    for (let start = 0; start < records.length;) {
      const some = records.slice(start, start + Math.min(this.most, this.pace.capacity));
      await this.pace.run(some.length, () => this.together(some, change, caller));
      start += some.length;
    }
  }

  private async together(records: readonly HoldingRecord[], change: TermChange, caller: Caller): Promise<void> {
    const types = new Map((await this.types.all()).map((type) => [type.id, type]));
    const ends = await Promise.allSettled(
      records.flatMap(({ id, typeId }) => {
        const type = types.get(typeId);
        // The records of a type that is gone are about to go as well.
        return type ? [this.rewrites.rewrite(type, id, change, caller)] : [];
      }),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
