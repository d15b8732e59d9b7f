import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { ownTurn } from '../common/concurrency/own-turn.js';
import { packageInfo } from '../common/package-info.js';
import { siteAddress } from '../config/public-address.js';
import { Settings } from '../config/settings.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/statements/reads.js';
import { publishedAddresses, repeatedAddresses, type AddressRow } from '../records/rows/published-addresses.js';
import { recordUrl } from '../records/rows/record-views.js';
import { firstIdOf, PartCounts, type PartCount, PART_SIZE } from './part-counts.js';
import type { SitemapEntry, XmlStreams } from './sitemap-xml.js';

type TypesById = ReadonlyMap<number, CompiledType>;

/** Ids that are looked at with one statement, however few of them are published: no statement takes long. */
const WINDOW = 1_125;
/** The longest address that the schema of sitemaps allows. */
const MAX_URL_LENGTH = 2_048;

/** One file of the sitemap as it has to be now; it is made for each request that asks for it. */
export interface SitemapDocument {
  /** Changes with everything that the file is made from. */
  readonly validator: string;
  /** The newest change in it, milliseconds since 1970, UTC; `null`: there is nothing in it. */
  readonly changedAt: number | null;
  /** @throws what kept its first addresses from being read */
  readonly xml: () => Promise<XmlStreams>;
}

/** The source of the sitemap: types that are in it, and its parts with their counts. */
interface Contents {
  readonly types: TypesById;
  /** Parts that hold something, by number. */
  readonly parts: ReadonlyMap<number, readonly PartCount[]>;
}

/** Says which files the sitemap has, and what each of them is made from. */
@Injectable()
export class SitemapDocuments {
  private readonly release = packageInfo().version;

  constructor(
    private readonly types: ContentTypesService,
    private readonly counts: PartCounts,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly settings: Settings,
  ) {}

  /** All addresses, as long as one file may hold them; then a list of the parts. */
  async whole(): Promise<SitemapDocument> {
    const { types, parts } = await this.contents();
    const counts = [...parts.values()].flat();
    if (sum(counts) <= PART_SIZE) {
      return this.document(counts, types, () => this.urlset([...parts.keys()], types));
    }
    return this.document(counts, types, async () => (await writing()).indexXml(this.partEntries(parts)));
  }

  /** The addresses of one part; `null` if there are none. */
  async part(part: number): Promise<SitemapDocument | null> {
    const { types, parts } = await this.contents();
    const counts = parts.get(part);
    if (!counts) return null;
    return this.document(counts, types, () => this.urlset([part], types));
  }

  /** The rules for programs that walk the site: the API is no page, and where the sitemap is. */
  robots(): string {
    const { gateway } = this.settings;
    const sitemap = siteAddress(this.settings, '/sitemap.xml');
    return ['User-agent: *', `Disallow: ${gateway.basePath}/api/`, '', `Sitemap: ${sitemap}`, ''].join('\n');
  }

  private async contents(): Promise<Contents> {
    const [all, counts] = await Promise.all([this.types.all(), this.counts.all()]);
    const types = new Map(all.filter(({ sitemap }) => sitemap).map((type) => [type.id, type]));
    const parts = new Map<number, PartCount[]>();
    for (const count of counts) {
      if (types.has(count.typeId)) parts.set(count.part, [...(parts.get(count.part) ?? []), count]);
    }
    return { types, parts: new Map([...parts].filter(([, ofPart]) => sum(ofPart) > 0)) };
  }

  private *partEntries(parts: Contents['parts']): Generator<SitemapEntry> {
    for (const [part, counts] of parts) {
      yield { url: siteAddress(this.settings, `/sitemap-${part}.xml`), changedAt: newest(counts) };
    }
  }

  /** The first addresses are read before the answer begins: a failure is an answer of its own then. */
  private async urlset(parts: readonly number[], types: TypesById): Promise<XmlStreams> {
    const windows = this.windows(parts, types);
    const first = await windows.next();
    async function* entries(): AsyncGenerator<SitemapEntry> {
      if (!first.done) yield* first.value;
      for await (const some of windows) yield* some;
    }
    return (await writing()).urlsetXml(entries());
  }

  /**
   * Addresses of records of these types in these parts, in the order of their ids, a window at a time. Where there are
   * none, the root of the site: an empty file is not valid.
   */
  private async *windows(parts: readonly number[], types: TypesById): AsyncGenerator<readonly SitemapEntry[]> {
    const repeated = repeatedAddresses([...types.values()], this.dialect);
    let isEmpty = true;
    for (const firstId of parts.map(firstIdOf)) {
      for (let from = firstId; from < firstId + PART_SIZE; from += WINDOW) {
        const rows = await publishedAddresses(this.reads, from, from + WINDOW - 1, repeated);
        const entries = rows.flatMap((row) => this.entry(row, types) ?? []);
        if (entries.length === 0) continue;
        isEmpty = false;
        yield entries;
      }
    }
    if (isEmpty) yield [{ url: `${this.settings.siteUrl}/`, changedAt: null }];
  }

  private entry(row: AddressRow, types: TypesById): SitemapEntry | null {
    const type = types.get(Number(row.type_id));
    if (!type) return null;
    const { slug, locale } = row;
    const url = recordUrl(this.settings.siteUrl, type, { id: Number(row.id), slug, locale });
    return url.length > MAX_URL_LENGTH ? null : { url, changedAt: Number(row.updated_at) };
  }

  private document(counts: readonly PartCount[], types: TypesById, xml: SitemapDocument['xml']): SitemapDocument {
    const used = new Set(counts.map(({ typeId }) => typeId));
    const sources = [
      this.release,
      siteAddress(this.settings, ''),
      [...types.values()].filter(({ id }) => used.has(id)).map(addressing),
      counts.map(({ typeId, part, mark }) => [typeId, part, mark]),
    ];
    const validator = createHash('sha256').update(JSON.stringify(sources)).digest('base64url').slice(0, 27);
    return { validator, changedAt: newest(counts), xml };
  }
}

const load = () => import('./sitemap-xml.js');

/** Loads what writes files when one is asked for, in a turn of the event loop of its own: a service starts sooner without it. */
async function writing(): ReturnType<typeof load> {
  await ownTurn();
  const xml = await load();
  await ownTurn();
  return xml;
}

/** The members of a type that make the addresses of its records. It may be newer than the counts, so it counts too. */
function addressing({ id, name, url_path }: CompiledType): readonly (string | number)[] {
  return [id, name, url_path];
}

function sum(counts: readonly PartCount[]): number {
  return counts.reduce((total, { urls }) => total + urls, 0);
}

function newest(counts: readonly PartCount[]): number | null {
  const known = counts.flatMap(({ changedAt }) => changedAt ?? []);
  return known.length === 0 ? null : Math.max(...known);
}
