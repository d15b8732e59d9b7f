import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { Actors, type ActorView } from '../rows/actors.js';
import { markOf, termIdsOf, termsOf, weightOf, type NarrowRow, type RecordRow } from '../rows/record-row.js';
import { RecordViews } from '../rows/record-views.js';

/** The JSON text of a record, as lists show it. */
export interface RecordText {
  readonly bytes: Buffer;
  /** Characters of the record, as `weightOf` counts them. */
  readonly weight: number;
}

/** A text with everything that it was made from. */
interface KeptText extends RecordText {
  readonly mark: string;
  readonly type: CompiledType;
  readonly creator: ActorView;
  readonly writer: ActorView;
  /** State of all terms; `null`: the record has none. */
  readonly terms: string | null;
}

/** Bytes of all texts together, and those that the smallest one takes. */
const MOST_BYTES = 16 * 1_048_576;
const BYTES_EACH = 512;
/** A longer text would take the place of too many others. */
const LONGEST = 131_072;
const MOST_PAGES = 1_000;

/**
 * The JSON texts of records that lists showed lately, the same for every caller that sees the record. A text is given
 * for a version that was just read from the database, and only while its type, its terms and the names of its authors
 * are those that it was made with.
 */
@Injectable()
export class RecordTexts {
  private readonly texts = new LRUCache<number, KeptText>({
    maxSize: MOST_BYTES,
    maxEntrySize: LONGEST,
    sizeCalculation: ({ bytes }) => bytes.length + BYTES_EACH,
  });
  private readonly pages = new LRUCache<string, true>({ max: MOST_PAGES });

  constructor(
    private readonly views: RecordViews,
    private readonly actors: Actors,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  /** Notes that a page is asked for. @returns whether it was before: the texts of its records may be known */
  visit(page: string): boolean {
    const isKnown = this.pages.get(page) === true;
    this.pages.set(page, true);
    return isKnown;
  }

  /** The known texts of these versions, by id. */
  async find(type: CompiledType, rows: readonly NarrowRow[]): Promise<ReadonlyMap<number, RecordText>> {
    await this.actors.load(new Set(rows.flatMap((row) => [row.created_by, row.updated_by])));
    const terms = await this.taxonomies.state();
    const found = new Map<number, RecordText>();
    for (const row of rows) {
      const text = this.texts.get(row.id);
      if (text?.type === type && text.mark === markOf(row) && this.isCurrent(text, row, terms)) found.set(row.id, text);
    }
    return found;
  }

  /** Makes the texts of rows, and keeps them. @returns them by id */
  async make(type: CompiledType, rows: readonly RecordRow[]): Promise<ReadonlyMap<number, RecordText>> {
    const before = await this.taxonomies.state();
    const known = await this.views.prepare(rows);
    // Terms that were read while they changed may be of either state.
    const isSteady = (await this.taxonomies.state()) === before;
    return new Map(
      rows.map((row) => {
        const text = { bytes: bytesOf(JSON.stringify(this.views.of(type, row, known))), weight: weightOf(row) };
        if (isSteady) this.keep(type, row, { ...text, terms: before });
        return [row.id, text];
      }),
    );
  }

  private keep(type: CompiledType, row: RecordRow, text: RecordText & { readonly terms: string }): void {
    this.texts.set(row.id, {
      ...text,
      type,
      mark: markOf(row),
      creator: this.actors.view(row.created_by),
      writer: this.actors.view(row.updated_by),
      terms: termIdsOf(termsOf(row)).length > 0 ? text.terms : null,
    });
  }

  private isCurrent({ creator, writer, terms }: KeptText, row: NarrowRow, state: string): boolean {
    if (terms !== null && terms !== state) return false;
    return this.actors.view(row.created_by) === creator && this.actors.view(row.updated_by) === writer;
  }
}

/** Memory of its own: a piece of a pool would keep all of the pool. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
