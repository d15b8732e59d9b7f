import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { packageInfo } from '../../common/package-info.js';
import { siteAddress } from '../../config/public-address.js';
import { Settings } from '../../config/settings.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { PartCounts, type PartCount, PART_SIZE } from '../part-counts.js';
import { SitemapUrls, type TypesById } from '../sitemap-urls.js';
import type { SitemapEntry, XmlStreams } from './sitemap-xml.js';

/** One file of the sitemap as it has to be now; it is written with the first request for it. */
export interface SitemapDocument {
  readonly name: string;
  /** Changes with everything that the file is made from. */
  readonly validator: string;
  /** The newest change in it, milliseconds since 1970, UTC; `null`: there is nothing in it. */
  readonly changedAt: number | null;
  readonly xml: () => Promise<XmlStreams>;
}

/** What the sitemap is made from: types that are in it, and its parts with their counts. */
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
    private readonly urls: SitemapUrls,
    private readonly settings: Settings,
  ) {}

  /** All addresses, as long as one file may hold them; then a list of the parts. */
  async whole(): Promise<SitemapDocument> {
    const { types, parts } = await this.contents();
    const counts = [...parts.values()].flat();
    if (sum(counts) <= PART_SIZE) {
      return this.document('urls', counts, types, async () =>
        (await writing()).urlsetXml(this.urls.of([...parts.keys()], types)),
      );
    }
    return this.document('index', counts, types, async () => (await writing()).indexXml(this.partEntries(parts)));
  }

  /** The addresses of one part; `null` if there are none. */
  async part(part: number): Promise<SitemapDocument | null> {
    const { types, parts } = await this.contents();
    const counts = parts.get(part);
    if (!counts) return null;
    return this.document(`part-${part}`, counts, types, async () =>
      (await writing()).urlsetXml(this.urls.of([part], types)),
    );
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

  private document(
    name: string,
    counts: readonly PartCount[],
    types: TypesById,
    xml: SitemapDocument['xml'],
  ): SitemapDocument {
    const used = new Set(counts.map(({ typeId }) => typeId));
    const sources = [
      this.release,
      siteAddress(this.settings, ''),
      [...types.values()].filter(({ id }) => used.has(id)).map(addressing),
      counts.map(({ typeId, part, mark }) => [typeId, part, mark]),
    ];
    const validator = createHash('sha256').update(JSON.stringify(sources)).digest('base64url').slice(0, 27);
    return { name, validator, changedAt: newest(counts), xml };
  }
}

/** Loaded when a file has to be written: a service starts sooner without it. */
const writing = () => import('./sitemap-xml.js');

/** What of a type makes the addresses of its records. A type may be newer here than the counts, so it counts too. */
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
