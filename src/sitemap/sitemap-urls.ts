import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/statements/reads.js';
import { publishedAddresses, repeatedAddresses, type AddressRow } from '../records/rows/published-addresses.js';
import { recordUrl } from '../records/rows/record-views.js';
import { firstIdOf, PART_SIZE } from './part.js';
import type { SitemapEntry } from './documents/sitemap-xml.js';

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
      for (const row of await publishedAddresses(this.reads, from, from + WINDOW - 1, repeated)) {
        const entry = this.entry(row, types);
        if (entry) yield entry;
      }
    }
  }

  private entry(row: AddressRow, types: TypesById): SitemapEntry | null {
    const type = types.get(Number(row.type_id));
    if (!type) return null;
    const { slug, locale } = row;
    const url = recordUrl(this.settings.siteUrl, type, { id: Number(row.id), slug, locale });
    return url.length > MAX_URL_LENGTH ? null : { url, changedAt: Number(row.updated_at) };
  }
}
