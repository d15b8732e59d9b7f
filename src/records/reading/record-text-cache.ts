import { Injectable } from '@nestjs/common';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { hasSameMark, markOf, termIdsOf, termsOf, type RecordMark, type RecordRow } from '../rows/record-row.js';
import { RecordViews } from '../rows/record-views.js';
import { Actors, type ActorView } from '../rows/actors.js';

/** The JSON text of a version of a record, and everything else that it depends on. */
interface KeptText {
  readonly bytes: Buffer;
  readonly type: CompiledType;
  readonly mark: RecordMark;
  readonly creator: ActorView;
  readonly writer: ActorView;
  /** State of all terms; `null`: the record has none. */
  readonly terms: string | null;
}

/** Bytes of all texts together, with what keeping one takes. */
const MOST_BYTES = 16 * 1_048_576;
const BYTES_EACH = 512;

/**
 * The JSON texts of records that lists showed lately, the same for every caller that sees the record. A text is given
 * for a version that was just read from the database, and only while its type, its terms and the names of its authors are
 * still those that it was made with: nothing is shown longer than it would be without.
 */
@Injectable()
export class RecordTextCache {
  /** By id of the record, least recently used first. */
  private readonly kept = new Map<number, KeptText>();
  private size = 0;

  constructor(
    private readonly views: RecordViews,
    private readonly actors: Actors,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  /** The texts of these versions that are known, by id. */
  async find(type: CompiledType, marks: readonly RecordMark[]): Promise<Map<number, Buffer>> {
    const candidates = marks.flatMap((mark) => {
      const text = this.kept.get(mark.id);
      return text && isOf(text, type, mark) ? [{ id: mark.id, text }] : [];
    });
    await this.actors.load(new Set(candidates.flatMap(({ text: { mark } }) => [mark.created_by, mark.updated_by])));
    const terms = await this.taxonomies.state();
    const found = new Map<number, Buffer>();
    for (const { id, text } of candidates) {
      if (!this.isCurrent(text, terms)) continue;
      this.keep(id, text);
      found.set(id, text.bytes);
    }
    return found;
  }

  /** Makes the texts of rows that another request has not made meanwhile, and keeps them. */
  async make(type: CompiledType, rows: readonly RecordRow[]): Promise<ReadonlyMap<number, Buffer>> {
    const before = await this.taxonomies.state();
    const known = await this.views.prepare(rows);
    const isSteady = (await this.taxonomies.state()) === before;
    return new Map(
      rows.map((row) => {
        const kept = this.kept.get(row.id);
        if (kept && isOf(kept, type, markOf(row)) && this.isCurrent(kept, before)) return [row.id, kept.bytes];
        const bytes = bytesOf(JSON.stringify(this.views.of(type, row, known)));
        // Terms that were read while they changed may be of either state.
        if (isSteady) this.keep(row.id, this.textOf(type, row, { bytes, terms: before }));
        return [row.id, bytes];
      }),
    );
  }

  private textOf(type: CompiledType, row: RecordRow, { bytes, terms }: { bytes: Buffer; terms: string }): KeptText {
    return {
      bytes,
      type,
      mark: markOf(row),
      creator: this.actors.view(row.created_by),
      writer: this.actors.view(row.updated_by),
      terms: termIdsOf(termsOf(row)).length > 0 ? terms : null,
    };
  }

  private isCurrent({ mark, creator, writer, terms }: KeptText, state: string): boolean {
    return (
      (terms === null || terms === state) &&
      this.actors.view(mark.created_by) === creator &&
      this.actors.view(mark.updated_by) === writer
    );
  }

  private keep(id: number, text: KeptText): void {
    this.forget(id);
    this.kept.set(id, text);
    this.size += sizeOf(text);
    for (const oldest of this.kept.keys()) {
      if (this.size <= MOST_BYTES) return;
      this.forget(oldest);
    }
  }

  private forget(id: number): void {
    const text = this.kept.get(id);
    if (!text) return;
    this.kept.delete(id);
    this.size -= sizeOf(text);
  }
}

function isOf(text: KeptText, type: CompiledType, mark: RecordMark): boolean {
  return text.type === type && hasSameMark(text.mark, mark);
}

function sizeOf({ bytes }: KeptText): number {
  return bytes.length + BYTES_EACH;
}

/** Memory of its own: a piece of a pool would keep all of the pool. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

const MOST_PAGES = 1_000;

/** Pages of lists that were requested lately. A page that is requested once is not put together from cached texts. */
export class RecentPages {
  /** Whether they can be put together from texts, least recently used first. */
  private readonly pages = new Map<string, boolean>();

  /** Notes that a page is asked for. Whether it was before, and can be put together. */
  visit(page: string): boolean {
    const known = this.pages.get(page);
    this.note(page, known ?? true);
    return known === true;
  }

  /** A page that is too long to be put together. */
  exclude(page: string): void {
    this.note(page, false);
  }

  private note(page: string, isShort: boolean): void {
    this.pages.delete(page);
    this.pages.set(page, isShort);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
  }
}
