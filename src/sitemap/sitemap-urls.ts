import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { repeatedAddresses } from './repeated-addresses.js';
import { recordUrl } from '../records/rows/record-url.js';
import { firstIdOf, PART_SIZE } from './part.js';
import type { SitemapEntry } from './sitemap-xml.js';

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly slug: string;
  readonly locale: string;
  readonly updated_at: number | string;
}

export type TypesById = ReadonlyMap<number, CompiledType>;

/** Ids that are looked at with one statement, however few of them are published: no statement takes long. */
const WINDOW = 2_250;
/** The longest address that the schema of sitemaps allows. */
const MAX_URL_LENGTH = 2_048;

/** Reads the addresses of published records, in the order of their ids, a window at a time. */
@Injectable()
export class SitemapUrls {
  constructor(
    private readonly reads: Reads,
    private readonly settings: Settings,
    private readonly dialect: Dialect,
  ) {}

  /** Records of these types in these parts. Where there are none, the root of the site: an empty file is not valid. */
  async *of(parts: readonly number[], types: TypesById): AsyncGenerator<SitemapEntry> {
    let isEmpty = true;
    for (const part of parts) {
      for await (const entry of this.ofPart(part, types)) {
        isEmpty = false;
        yield entry;
      }
    }
    if (isEmpty) yield { url: `${this.settings.siteUrl}/`, changedAt: null };
  }

  private async *ofPart(part: number, types: TypesById): AsyncGenerator<SitemapEntry> {
    const firstId = firstIdOf(part);
    const repeated = repeatedAddresses([...types.values()], this.dialect);
    for (let from = firstId; from < firstId + PART_SIZE; from += WINDOW) {
      for (const row of await this.window(from, repeated)) {
        const entry = this.entry(row, types);
        if (entry) yield entry;
      }
    }
  }

  private window(from: number, repeated: string): Promise<Row[]> {
    // No type is asked for: an index that begins with it would tempt the planner away from the range of ids.
    return this.reads.select<Row>(
      `SELECT r.id, r.type_id, r.slug, r.locale, r.updated_at FROM records r
        WHERE r.id BETWEEN ? AND ? AND r.status = 'published' AND r.trashed_at = 0 ${repeated}
        ORDER BY r.id`,
      [from, from + WINDOW - 1],
    );
  }

  private entry(row: Row, types: TypesById): SitemapEntry | null {
    const type = types.get(Number(row.type_id));
    if (!type) return null;
    const { slug, locale } = row;
    const url = recordUrl(this.settings.siteUrl, type, { id: Number(row.id), slug, locale });
    return url.length > MAX_URL_LENGTH ? null : { url, changedAt: Number(row.updated_at) };
  }
}
