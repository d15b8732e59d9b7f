import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PerObject } from '../../common/concurrency/per-object.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { Counters, type CounterChange } from '../../database/statements/counters.js';
import { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import { ALL_RECORDS, COUNTS_MARK, type Delta } from './record-deltas.js';

/** Which records a position is counted among. */
export interface PositionScope {
  readonly typeId: number;
  readonly statuses: readonly Status[];
  /** Whether the newest record is the first one. */
  readonly isNewestFirst: boolean;
  /** What is remembered of one server is not true of another one. */
  readonly reader: Reader;
}

/** Where to start reading: `skip` records further on from a time of creation, which is the first one that counts. */
export interface Position {
  /** Milliseconds since 1970, UTC; the newest that counts when the newest come first, otherwise the oldest. */
  readonly from: number;
  readonly skip: number;
}

/** Spans of time at each level, milliseconds: a second, two minutes, five hours, 25 days. Each has 128 of those before it. */
export const SPANS = [2 ** 10, 2 ** 17, 2 ** 24, 2 ** 31] as const;

/** Up to so many records are passed over more quickly than the next smaller span is found. */
export const FAR = 1_000;

/** From the first millisecond to the last one. */
type TimeRange = readonly [number, number];

const EVER: TimeRange = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

interface Step {
  readonly bucket: number | string;
  /** Records in the spans that stand in front of it. */
  readonly passed: number | string;
  /** Records in it. */
  readonly n: number | string;
}

/** The spans of one level within a range of time; `null`: all of them. */
interface SpanLevel {
  readonly scope: PositionScope;
  readonly level: number;
  readonly within: TimeRange | null;
}

/** What was found out between two changes of the database. */
interface Known {
  readonly mark: string;
  readonly steps: Map<string, readonly Step[]>;
}

/** So many stretches are remembered, of some 128 spans each. */
const MOST_KNOWN = 256;

/**
 * How many records were created in which span of time. So the hundred-thousandth record is found by adding up
 * spans, where a database would walk over all that stand before it.
 */
@Injectable()
export class RecordPositions {
  private readonly counters: Counters;
  private readonly known = new PerObject((_: Reader): { last: Known } => ({ last: { mark: '', steps: new Map() } }));

  constructor(private readonly dialect: Dialect) {
    this.counters = new Counters('record_positions', ['type_id', 'level', 'status', 'bucket'], dialect);
  }

  /** Counts records that are there, or gone, from now on. */
  add(manager: EntityManager, changes: readonly Delta[]): Promise<void> {
    return this.counters.add(manager, changes.flatMap(atEveryLevel));
  }

  forgetSome(manager: EntityManager, typeId: number, atOnce: number): Promise<number> {
    return this.counters.removeSome(manager, { sql: 'type_id = ?', values: [typeId] }, atOnce);
  }

  /** The position of the record that has so many before it; `null` where there are not so many. */
  async find(scope: PositionScope, offset: number): Promise<Position | null> {
    const known = await this.present(scope.reader);
    let skip = offset;
    let within: TimeRange | null = null;
    for (let level = SPANS.length - 1; level >= 0; level -= 1) {
      const step = await this.step(known, { scope, level, within }, skip);
      if (!step) return null;
      skip -= Number(step.passed);
      const start = Number(step.bucket) * (SPANS[level] ?? 1);
      within = [start, start + (SPANS[level] ?? 1) - 1];
      if (Number(step.n) <= FAR) break;
    }
    return within && { from: scope.isNewestFirst ? within[1] : within[0], skip };
  }

  /** What is known since the last change of the counts. */
  private async present(reader: Reader): Promise<Known> {
    const mark = JSON.stringify(await reader.select(this.dialect.changeMark ?? COUNTS_MARK));
    const known = this.known.of(reader);
    // A read that was begun for the old one must not put anything into the new one.
    if (known.last.mark !== mark) known.last = { mark, steps: new Map() };
    return known.last;
  }

  /** The span that the record falls into, and how many stand in front of that. */
  private async step(known: Known, span: SpanLevel, offset: number): Promise<Step | undefined> {
    const { level, within, scope } = span;
    const key = JSON.stringify([level, within, scope.typeId, scope.statuses, scope.isNewestFirst]);
    const steps = known.steps.get(key) ?? (await this.steps(span));
    if (known.steps.size < MOST_KNOWN) known.steps.set(key, steps);
    return steps.find(({ passed, n }) => Number(passed) + Number(n) > offset);
  }

  /** The spans in the order of the list. */
  private steps({ scope, level, within }: SpanLevel): Promise<readonly Step[]> {
    const { text, values } = this.parts(scope, level, within ?? EVER);
    const direction = scope.isNewestFirst ? 'DESC' : 'ASC';
    return scope.reader.select<Step>(
      `SELECT s.bucket, s.n, SUM(s.n) OVER (ORDER BY s.bucket ${direction}) - s.n AS passed
         FROM (SELECT bucket, SUM(n) AS n FROM (${text}) parts GROUP BY bucket) s ORDER BY s.bucket ${direction}`,
      values,
    );
  }

  /** Rows that add up to the spans of a level within a stretch of time: those counted, and those still to be. */
  private parts(
    { typeId, statuses }: PositionScope,
    level: number,
    [first, last]: TimeRange,
  ): { text: string; values: readonly SqlValue[] } {
    const span = SPANS[level] ?? 1;
    const these = placeholders(statuses);
    const counted = `SELECT bucket, n FROM record_positions
                      WHERE type_id = ? AND level = ? AND status IN (${these}) AND bucket >= ? AND bucket <= ?`;
    const values = [typeId, level, ...statuses, Math.floor(first / span), Math.floor(last / span)];
    if (this.dialect.hasOneWriter) return { text: counted, values };
    const waiting = `SELECT ${bucketOf('created_at', span)} AS bucket, SUM(d) AS n FROM record_deltas
                      WHERE term_id = ${ALL_RECORDS} AND type_id = ? AND status IN (${these})
                        AND created_at >= ? AND created_at <= ? GROUP BY bucket`;
    return { text: `${counted} UNION ALL ${waiting}`, values: [...values, typeId, ...statuses, first, last] };
  }
}

/** The number of the span that a time falls into, before 1970 too. Whole numbers only: rounded ones may be the next. */
function bucketOf(time: string, span: number): string {
  return `(${time} - MOD(MOD(${time}, ${span}) + ${span}, ${span})) DIV ${span}`;
}

function atEveryLevel({ typeId, status, createdAt, d }: Delta): CounterChange[] {
  return SPANS.map((span, level) => ({ key: [typeId, level, status, Math.floor(createdAt / span)], d }));
}
