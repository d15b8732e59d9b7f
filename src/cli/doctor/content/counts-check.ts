import { Reads } from '../../../database/statements/reads.js';
import { Recount, wrongCounters, type WrongCounters } from '../../../records/checks/recount.js';
import { UnusedCounters, typesOfUnusedCounters } from '../../../records/checks/unused-counters.js';
import { compareSideIndex } from '../../../records/checks/side-index-check.js';
import type { Check, OpenDatabase } from '../check.js';
import { repairRows } from './fields-check.js';

/** Whether the kept numbers of records are those that counting gives. */
export const countsCheck: Check<OpenDatabase> = {
  name: 'counts',
  async look({ source }) {
    const reads = new Reads(source);
    const wrong = named(await wrongCounters(reads));
    const unused = await typesOfUnusedCounters(reads);
    const faults = [
      ...wrong.map((sentence) => `${sentence} differ from what there is`),
      ...(unused.length > 0 ? [`types that are gone have counters: ${unused.join(', ')}`] : []),
    ];
    if (faults.length === 0) return [{ ok: true, message: 'all numbers are those of the records' }];
    return faults.map((fault) => ({ ok: false, message: `${fault}. Run: npm run cli -- doctor --repair.` }));
  },
  async repair({ source, dialect }, service) {
    // Terms are counted by the rows of records, so these have to be right first.
    const areTermsWrong = (await wrongCounters(new Reads(source))).term_counts > 0;
    const rows = areTermsWrong ? await compareSideIndex(source, dialect) : new Map<number, number[]>();
    const indexed = await repairRows(service, { records: rows, leftOver: [], fields: [] });
    const dropped = await (await service.get(UnusedCounters)).drop();
    const mended = await (await service.get(Recount)).run();
    return [
      ...indexed,
      ...dropped.map((id) => `dropped the counters of type ${id}, which is gone`),
      ...named(mended).map((sentence) => `recounted ${sentence}`),
    ];
  },
};

function named(counters: WrongCounters): string[] {
  return Object.entries(counters)
    .filter(([, n]) => n > 0)
    .map(([table, n]) => `${n} of ${table}`);
}
