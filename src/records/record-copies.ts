import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import { sharesAddresses } from '../content-types/definition/addresses.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { noteWritten } from '../content-types/changes/type-watches.js';
import { isUniqueViolation } from '../database/database-error.js';
import { execute, placeholders, select, type SqlValue } from '../database/statements/statement.js';
import { insertRows } from '../database/statements/statement-queue.js';
import { RecordCounts } from './counting/record-counts.js';
import { insertIndex } from './writing/record-index.js';
import { RecordListeners } from './writing/record-listeners.js';
import { ALL_COLUMNS, storedTerms, termIdsOf, WITH_CONTENTS, type RecordRow } from './rows/record-row.js';
import { titleKey, type RecordState } from './writing/record-state.js';
import { RecordStatements } from './writing/record-statements.js';
import type { Authorship } from './writing/authorships.js';

/** A record as another database has it, id and all. */
export interface RecordCopy {
  readonly id: number;
  readonly state: RecordState;
  readonly version: number;
  readonly created: Authorship;
  readonly updated: Authorship;
  /** 0: not in the trash. Milliseconds since 1970, UTC. */
  readonly trashedAt: number;
}

const COLUMNS =
  'id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at';

/** Writes records that keep their ids, versions and times. Everything runs inside a unit of work that holds the type. */
@Injectable()
export class RecordCopies {
  constructor(
    private readonly counts: RecordCounts,
    private readonly listeners: RecordListeners,
    private readonly statements: RecordStatements,
  ) {}

  /** Whole records as this unit of work sees them, by id. Those in the trash too. */
  async rows(manager: EntityManager, ids: readonly number[]): Promise<ReadonlyMap<number, RecordRow>> {
    if (ids.length === 0) return new Map();
    const sql = `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.id IN (${placeholders(ids)})`;
    const rows = await select<RecordRow>(manager, sql, ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Writes records of one type, without a revision: their history comes with them.
   *
   * @throws {DomainError} `slug_taken`; {ValidationError} a value of a unique field is taken
   */
  async insert(manager: EntityManager, type: CompiledType, copies: readonly RecordCopy[]): Promise<void> {
    if (copies.length === 0) return;
    await insertNarrow(manager, type, copies);
    const contents = copies.map(({ id, state, trashedAt }): SqlValue[] => [
      ...[id, state.body, JSON.stringify(state.values), storedTerms(state.terms)],
      trashedAt > 0 ? state.slug : null,
    ]);
    await insertRows(manager, 'INSERT INTO record_contents (record_id, body, data, terms, trashed_slug)', contents);
    const live = copies.filter(({ trashedAt }) => trashedAt === 0);
    await noteWritten(
      manager,
      type,
      copies.filter((copy) => !live.includes(copy)).map(({ id }) => id),
    );
    const indexed = live.map(({ id, state, created }) => ({ id, state, createdAt: created.at }));
    await insertIndex(manager, type, indexed);
    await this.publish(manager, type, live);
  }

  /**
   * Ids of those copies whose address another record has, or another copy: in another locale, which the type does not
   * distinguish in its addresses. They are copied all the same, since that is how they were.
   */
  async withSharedAddresses(
    manager: EntityManager,
    type: CompiledType,
    copies: readonly RecordCopy[],
  ): Promise<ReadonlySet<number>> {
    const live = copies.filter(({ trashedAt }) => trashedAt === 0);
    if (live.length === 0 || !sharesAddresses(type)) return new Set();
    const slugs = live.map(({ state }) => state.slug);
    const sql = `SELECT id, slug FROM records WHERE type_id = ? AND slug IN (${placeholders(slugs)})`;
    const rows = await select<{ id: number | string; slug: string }>(manager, sql, [type.id, ...slugs]);
    const owners = new Map<string, Set<number>>();
    const all = [...rows.map((row) => [row.slug, Number(row.id)] as const), ...live.map(ownSlug)];
    for (const [slug, id] of all) owners.set(slug, (owners.get(slug) ?? new Set()).add(id));
    return new Set(live.filter(({ state }) => (owners.get(state.slug)?.size ?? 0) > 1).map(({ id }) => id));
  }

  /** Ids of those copies whose slug a record has that none of them would replace. */
  async withTakenSlugs(
    manager: EntityManager,
    { id: typeId }: CompiledType,
    copies: readonly RecordCopy[],
  ): Promise<ReadonlySet<number>> {
    const live = copies.filter(({ trashedAt }) => trashedAt === 0);
    if (live.length === 0) return new Set();
    const slugs = live.map(({ state }) => state.slug);
    const rows = await select<{ id: number | string; locale: string; slug: string }>(
      manager,
      `SELECT id, locale, slug FROM records WHERE type_id = ? AND slug IN (${placeholders(slugs)})`,
      [typeId, ...slugs],
    );
    const replaced = new Set(copies.map(({ id }) => id));
    const staying = rows.filter(({ id }) => !replaced.has(Number(id)));
    const taken = new Set(staying.map(({ locale, slug }) => `${locale} ${slug}`));
    return new Set(live.filter(({ state }) => taken.has(`${state.locale} ${state.slug}`)).map(({ id }) => id));
  }

  /** Takes a record out, so that a younger copy can take its place. Returns whether it was still at that version. */
  remove(manager: EntityManager, row: RecordRow): Promise<boolean> {
    return this.statements.remove(manager, row);
  }

  private async publish(manager: EntityManager, type: CompiledType, copies: readonly RecordCopy[]): Promise<void> {
    await this.counts.add(
      manager,
      copies.map(({ state: { status, terms }, created }) => ({
        ...{ typeId: type.id, status, terms: termIdsOf(terms), createdAt: created.at, d: 1 },
      })),
    );
    await this.listeners.written(
      manager,
      copies.map(({ id, state, version, created, updated }) => ({
        ...{ type, id, action: 'import', before: null, after: state, version, authorship: updated },
        ...{ previous: null, createdAt: created.at, rollbackOf: null, history: 'given' },
      })),
    );
  }
}

async function insertNarrow(manager: EntityManager, type: CompiledType, copies: readonly RecordCopy[]): Promise<void> {
  const rows = copies.map(({ id, state, version, created, updated, trashedAt }): SqlValue[] => [
    ...[id, type.id, state.locale, trashedAt > 0 ? null : state.slug, state.title, titleKey(state), state.status],
    ...[version, created.actor, updated.actor, created.at, updated.at, state.publishedAt, trashedAt],
  ]);
  try {
    await insertRows(manager, `INSERT INTO records (${COLUMNS})`, rows, { write: execute });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw new DomainError('slug_taken', slugTaken(type, copies), { cause });
  }
}

function ownSlug({ id, state }: RecordCopy): readonly [string, number] {
  return [state.slug, id];
}

/** The sentence for copies that cannot be written because of their slugs. */
export function slugTaken({ name }: Pick<CompiledType, 'name'>, copies: readonly RecordCopy[]): string {
  const which = copies.length === 1 ? `the slug "${String(copies[0]?.state.slug)}"` : 'one of these slugs';
  return `Another ${name} has ${which}. Change it there or here.`;
}
