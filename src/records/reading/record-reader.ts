import { idOf } from '../../common/text/names.js';
import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { BatchLoader } from '../../common/concurrency/batch-loader.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { canonicalLocale } from '../../common/text/locale.js';
import { composed } from '../../common/text/slug.js';
import { STATUSES, type CompiledType, type Status } from '../../content-types/definition/content-type.js';
import { Reads, type Reader, selectIds } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import {
  wholeRow,
  wholeRows,
  ALL_COLUMNS,
  isUnread,
  WITH_CONTENTS,
  WHOLE_ROWS,
  type ListedRow,
  type NarrowRow,
  type RecordRow,
} from '../rows/record-row.js';
import { isSound } from '../rows/record-cells.js';
import { spanAfter, type IdSpan } from '../rows/record-portions.js';
import { visibleStatuses } from '../rows/record-access.js';
import type { ListScope } from './list-plan.js';

const BY_SLUG = 'slug:';
/** Records that are read at once; long ones by themselves. */
const PORTION = 100;
/** Records, most of them of other types maybe, among which one statement looks for those of a type. */
const SPAN = 5_000;

/** The choice among several records with a slug. */
interface SlugChoice {
  readonly statuses: readonly Status[];
  readonly locale: string | null;
}

/** A record as a path names it, for those who may see it. */
interface NamedRecord {
  readonly reference: string;
  readonly locale?: string | null;
  readonly caller: Caller;
}

/** The records that are asked for: the ones of a locale (`null`: of any), and the trash for callers who see drafts. */
interface Which {
  readonly locale?: string | null;
  readonly evenTrashed?: boolean;
}

/** Reads single records, by id or as `slug:<slug>`. */
@Injectable()
export class RecordReader {
  /** Requests that arrive together share a statement; on MySQL and MariaDB that is most of what a read costs. */
  private readonly rows = new BatchLoader<number, ListedRow>((ids) => rowsOf(this.reads, ids));

  constructor(private readonly reads: Reads) {}

  /**
   * The record that a path names, as far as the caller may see it.
   *
   * @throws {DomainError} `record_not_found`: none, in the trash, or not visible to the caller
   */
  async require(
    type: CompiledType,
    reference: string,
    caller: Caller,
    { locale = null, evenTrashed = false }: Which = {},
  ): Promise<RecordRow> {
    const statuses = visibleStatuses(caller, type);
    const row = await this.find(type, reference, { statuses, locale });
    if (!row) throw notFound(type, reference);
    const isTrashVisible = evenTrashed && isAllowed(caller, 'drafts:read', type.name);
    const isVisible = row.trashed_at === 0 ? statuses.includes(row.status) : isTrashVisible;
    if (!isVisible) throw notFound(type, reference);
    return row;
  }

  /**
   * The id of the record that a write names. It reads the record when it is its turn: an id need not be looked up before.
   *
   * @throws {DomainError} `record_not_found`: there is none of that slug
   */
  async idOf(
    type: CompiledType,
    { reference, caller, locale = null }: NamedRecord,
    evenTrashed = false,
  ): Promise<number> {
    return idOf(reference) ?? (await this.require(type, reference, caller, { locale, evenTrashed })).id;
  }

  /** A record that was just written; its author may see it. */
  async requireById(type: CompiledType, id: number): Promise<RecordRow> {
    const row = await this.find(type, String(id), { statuses: STATUSES, locale: null });
    if (!row) throw notFound(type, String(id));
    return row;
  }

  /** A listed record as a whole, as far as it may still be seen; `null`: no longer. */
  async listed({ id }: NarrowRow, scope: ListScope): Promise<RecordRow | null> {
    const row = await wholeRow(this.reads, id);
    return row && isListed(row, scope) && isSound(row) ? row : null;
  }

  /** Listed records by their ids, with their contents as far as these are short, and as far as they may still be seen. */
  async allListed(ids: readonly number[], scope: ListScope): Promise<ReadonlyMap<number, ListedRow>> {
    if (ids.length === 0) return new Map();
    return new Map([...(await rowsOf(this.reads, ids))].filter(([, row]) => isListed(row, scope)));
  }

  /** Records of any type, those in the trash left out, some at a time and these in the order of their ids: they may be long. */
  async *portions(ids: readonly number[], shape = WHOLE_ROWS): AsyncGenerator<RecordRow[]> {
    for (let start = 0; start < ids.length; start += PORTION) {
      if (start > 0) await ownTurn();
      const rows = [...(await rowsOf(this.reads, ids.slice(start, start + PORTION), shape)).values()];
      for await (const whole of wholeRows(
        this.reads,
        rows.toSorted((a, b) => a.id - b.id),
        shape.columns,
      )) {
        yield whole.filter((row) => row.trashed_at === 0 && isSound(row));
      }
    }
  }

  /**
   * Whole records of a type in the order of their ids, those in the trash left out, some at a time: what is read once
   * need not be passed again.
   */
  async *inOrder(type: CompiledType, statuses: readonly Status[]): AsyncGenerator<RecordRow[]> {
    let span = await spanAfter(this.reads, 0, SPAN);
    while (span) {
      const ids = await this.idsWithin(span, type, statuses);
      for await (const rows of this.portions(ids)) {
        // A record may have been withdrawn since its id was read.
        yield rows.filter(({ status }) => statuses.includes(status));
      }
      const upTo = ids.length < PORTION ? span.upTo : (ids.at(-1) ?? span.upTo);
      await ownTurn();
      span = upTo < span.upTo ? { after: upTo, upTo: span.upTo } : await spanAfter(this.reads, upTo, SPAN);
    }
  }

  /** The first ids of a span that a type has outside the trash. */
  private idsWithin(
    { after, upTo }: IdSpan,
    type: CompiledType,
    statuses: readonly Status[],
  ): Promise<readonly number[]> {
    return selectIds(
      this.reads,
      `SELECT id FROM records
        WHERE id > ? AND id <= ? AND type_id = ? AND trashed_at = 0 AND status IN (${placeholders(statuses)})
        ORDER BY id LIMIT ${PORTION}`,
      [after, upTo, type.id, ...statuses],
    );
  }

  private async find(type: CompiledType, reference: string, choice: SlugChoice): Promise<RecordRow | null> {
    if (reference.startsWith(BY_SLUG)) return this.bySlug(type, reference.slice(BY_SLUG.length), choice);
    const id = idOf(reference);
    const row = id === null ? undefined : await this.rows.get(id);
    if (row?.type_id !== type.id) return null;
    return isUnread(row) ? wholeRow(this.reads, row.id) : row;
  }

  /**
   * The record with a slug. Of several languages it is the asked one; if none is asked for, English, then the oldest one.
   * One that must not be seen does not stand before another one.
   */
  private async bySlug(type: CompiledType, slug: string, { statuses, locale }: SlugChoice): Promise<RecordRow | null> {
    const wanted = composed(slug.toWellFormed());
    const rows = await this.reads.select<RecordRow>(
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.type_id = ? AND r.slug = ? ORDER BY r.locale = 'en' DESC, r.id`,
      [type.id, wanted],
    );
    // Some databases pass over spaces at the end.
    const named = rows.filter((row) => row.slug === wanted && statuses.includes(row.status));
    return (locale === null ? named[0] : named.find((row) => row.locale === canonicalLocale(locale))) ?? null;
  }
}

function isListed(row: NarrowRow, { type, statuses, isTrash }: ListScope): boolean {
  return row.type_id === type.id && row.trashed_at > 0 === isTrash && statuses.includes(row.status);
}

async function rowsOf(
  reader: Reader,
  ids: readonly number[],
  { columns, contents } = WHOLE_ROWS,
): Promise<ReadonlyMap<number, ListedRow>> {
  const rows = await reader.select<ListedRow>(
    `SELECT ${columns} FROM records r ${contents} WHERE r.id IN (${placeholders(ids)})`,
    ids,
  );
  const found = new Map<number, ListedRow>();
  for (const row of rows) found.set(row.id, row);
  return found;
}

function notFound({ name }: CompiledType, reference: string): DomainError {
  return new DomainError('record_not_found', `Record not found: ${name}/${reference}.`);
}
