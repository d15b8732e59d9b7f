import { Reads } from '../../../database/statements/reads.js';
import { indexFaults, waitingJobs } from '../../../search/checks/index-differences.js';
import { SearchRepair } from '../../../search/checks/search-repair.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** The background indexes some 400 records a second; a job that has waited for so long is not worked on. */
const LATE_MS = 3_600_000;

/** Whether searches find each record by its type and status, and nothing else. */
export const searchCheck: Check<OpenDatabase> = {
  name: 'search',
  async look({ source, dialect }) {
    const reads = new Reads(source);
    const { missing, leftOver } = await indexFaults(reads, dialect);
    const { jobs, since } = await waitingJobs(reads);
    const unfound = [...missing.values()].reduce((sum, n) => sum + n, 0);
    if (jobs > 0 && Date.now() - (since ?? 0) < LATE_MS) {
      return [{ ok: true, message: `jobs of indexing that wait: ${jobs}, records to do: ${unfound}` }];
    }
    const faults = faultsOf(unfound, leftOver.length, jobs);
    return faults.length > 0 ? faults.map(failed) : [{ ok: true, message: 'each record is found' }];
  },
  async repair({ source, dialect }, service) {
    const faults = await indexFaults(new Reads(source), dialect);
    const { indexed, dropped, freed } = await (await service.get(SearchRepair)).run(faults);
    return [
      ...(freed > 0 ? [`freed ${freed} jobs of indexing that were taken until a time far away`] : []),
      ...(dropped > 0 ? [`dropped ${dropped} documents of no record`] : []),
      ...indexed.map((typeId) => `indexed the records of type ${typeId} anew`),
    ];
  },
};

function faultsOf(unfound: number, leftOver: number, jobs: number): string[] {
  return [
    ...(unfound > 0 ? [`${unfound} records are not found as they are`] : []),
    ...(leftOver > 0 ? [`${leftOver} documents are of no record, or of what one was before`] : []),
    ...(jobs > 0 ? [`${jobs} jobs of indexing have waited for more than an hour`] : []),
  ];
}

function failed(fault: string): CheckResult {
  return { ok: false, message: `${fault}. Run: npm run cli -- doctor --repair.` };
}
