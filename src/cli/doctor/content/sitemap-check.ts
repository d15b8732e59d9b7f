import { Reads } from '../../../database/statements/reads.js';
import { hasAbandonedParts, partDrifts, type PartDrift } from '../../../sitemap/part-check.js';
import { PartCounts } from '../../../sitemap/part-counts.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether the parts of the sitemap count the published records that there are. */
export const sitemapCheck: Check<OpenDatabase> = {
  name: 'sitemap',
  async look({ source }) {
    const reads = new Reads(source);
    const drifts = await partDrifts(reads);
    const faults = [
      ...drifts.map(({ typeId, part, urls }) => `Part ${part} of type ${typeId} counts ${difference(urls)}`),
      ...((await hasAbandonedParts(reads, Date.now())) ? ['There are parts of types that are gone'] : []),
    ];
    if (faults.length === 0) return [{ ok: true, message: 'each part counts what is published' }];
    return faults.map((fault) => ({ ok: false, message: `${fault}. Run: npm run cli -- doctor --repair.` }));
  },
  async repair({ source }, service) {
    const counts = await service.get(PartCounts);
    const areAbandoned = await hasAbandonedParts(new Reads(source), Date.now());
    if (areAbandoned) await counts.dropAbandoned();
    const mended = await counts.recount(Date.now());
    return [...(areAbandoned ? ['dropped the parts of types that are gone'] : []), ...mended.map(sentence)];
  },
};

function sentence({ typeId, part, urls }: PartDrift): string {
  return `recounted part ${part} of type ${typeId}, which counted ${difference(urls)}`;
}

function difference(urls: number): string {
  return urls > 0 ? `${urls} addresses too few` : `${-urls} addresses too many`;
}
