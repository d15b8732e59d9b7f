import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Status } from '../content-types/content-type.js';
import { Counters, type CounterChange } from '../database/counters.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { placeholders } from '../database/statement.js';

/** Records that join those of a status of a type, or leave them, at their time of creation. */
interface PlaceChange {
  readonly typeId: number;
  readonly status: Status;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly d: number;
}

/** Which records a place is counted among. */
export interface PlaceScope {
  readonly typeId: number;
  readonly statuses: readonly Status[];
  /** Whether the newest record is the first one. */
  readonly isNewestFirst: boolean;
}

/** Where to start reading: `skip` records further on from a time of creation, which is the first one that counts. */
export interface Place {
  /** Milliseconds since 1970, UTC; the newest that counts when the newest come first, otherwise the oldest. */
  readonly from: number;
  readonly skip: number;
}

/** Spans of time at each level, milliseconds: a second, two minutes, five hours, 25 days. Each has 128 of those before it. */
export const SPANS = [2 ** 10, 2 ** 17, 2 ** 24, 2 ** 31] as const;

/** Up to so many records are passed over more quickly than the next smaller span is found. */
export const FAR = 1_000;

interface Step {
  readonly bucket: number | string;
  /** Records in the spans that stand in front of it. */
  readonly passed: number | string;
  /** Records in it. */
  readonly n: number | string;
}

/**
 * How many records were created in which span of time. So the hundred-thousandth record is found by adding up
 * spans, where a database would walk over all that stand before it.
 */
@Injectable()
export class RecordPositions {
  private readonly counters: Counters;

  constructor(
    private readonly reads: Reads,
    dialect: Dialect,
  ) {
    this.counters = new Counters(dialect, {
      counters: 'record_positions',
      deltas: 'record_position_deltas',
      keys: ['type_id', 'level', 'status', 'bucket'],
    });
  }

  add(manager: EntityManager, changes: readonly PlaceChange[]): Promise<void> {
    return this.counters.add(manager, changes.flatMap(atEveryLevel));
  }

  fold(manager: EntityManager): Promise<number> {
    return this.counters.fold(manager);
  }

  forget(manager: EntityManager, typeId: number): Promise<void> {
    return this.counters.remove(manager, 'type_id = ?', [typeId]);
  }

  /** The place of the record that has so many before it; `null` where there are not so many. */
  async find(scope: PlaceScope, offset: number): Promise<Place | null> {
    let skip = offset;
    let within: readonly [number, number] | null = null;
    for (let level = SPANS.length - 1; level >= 0; level -= 1) {
      const step = await this.step(scope, level, within, skip);
      if (!step) return null;
      skip -= Number(step.passed);
      const start = Number(step.bucket) * (SPANS[level] ?? 1);
      within = [start, start + (SPANS[level] ?? 1) - 1];
      if (Number(step.n) <= FAR) break;
    }
    return within && { from: scope.isNewestFirst ? within[1] : within[0], skip };
  }

  /** The span of a level that the record falls into, and how many stand in front of that. */
  private async step(
    { typeId, statuses, isNewestFirst }: PlaceScope,
    level: number,
    within: readonly [number, number] | null,
    offset: number,
  ): Promise<Step | undefined> {
    const span = SPANS[level] ?? 1;
    const [first, last] = within ?? [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const { text, values } = this.counters.parts(
      `type_id = ? AND level = ? AND status IN (${placeholders(statuses)}) AND bucket >= ? AND bucket <= ?`,
      [typeId, level, ...statuses, Math.floor(first / span), Math.floor(last / span)],
    );
    const direction = isNewestFirst ? 'DESC' : 'ASC';
    const [step] = await this.reads.select<Step>(
      `SELECT b.bucket, b.n, b.up_to - b.n AS passed
         FROM (SELECT s.bucket, s.n, SUM(s.n) OVER (ORDER BY s.bucket ${direction}) AS up_to
                 FROM (SELECT bucket, SUM(n) AS n FROM (${text}) parts GROUP BY bucket) s) b
        WHERE b.up_to > ? ORDER BY b.bucket ${direction} LIMIT 1`,
      [...values, offset],
    );
    return step;
  }
}

function atEveryLevel({ typeId, status, createdAt, d }: PlaceChange): CounterChange[] {
  return SPANS.map((span, level) => ({ key: [typeId, level, status, Math.floor(createdAt / span)], d }));
}
