import { Reads } from '../../database/statements/reads.js';
import { Recount, wrongCounters, type WrongCounters } from '../../records/checks/recount.js';
import { checkSideIndex, compareSideIndex, type SideIndexFaults } from '../../records/checks/side-index-check.js';
import { SideIndexRepair, type MendedIndex } from '../../records/checks/side-index-repair.js';
import { UnusedCounters, typesOfUnusedCounters } from '../../records/checks/unused-counters.js';
import { indexFaults, waitingJobs } from '../../search/checks/index-differences.js';
import { SearchRepair } from '../../search/checks/search-repair.js';
import type { Check, OpenDatabase, Service, CheckResult } from './check.js';

const MOST_NAMED = 20;

/** Whether filters and sorting find each record: by the rows of `record_fields`, and with `--deep` by what they say. */
export const fieldsCheck: Check<OpenDatabase> = {
  name: 'fields',
  async look(database, isDeep) {
    const { records, leftOver, fields } = await faultsIn(database, isDeep);
    const ids = [...records.values()].flat();
    const faults = [
      ...(ids.length > 0 ? [`${ids.length} records are not indexed as they are: ${listed(ids)}`] : []),
      ...(leftOver.length > 0
        ? [`${leftOver.length} records that are gone or in the trash are indexed: ${listed(leftOver)}`]
        : []),
      ...(fields.length > 0 ? [`Fields that are gone or not indexed have rows: ${listed(fields)}`] : []),
    ];
    if (faults.length > 0) {
      // What only reading the contents has found, only that finds again to repair it.
      const repair = `npm run cli -- doctor --repair${isDeep ? ' --deep' : ''}`;
      return faults.map((fault) => ({ ok: false, message: `${fault}. Run: ${repair}.` }));
    }
    return [{ ok: true, message: isDeep ? 'each row is that of its record' : 'each record has its rows' }];
  },
  async repair(database, service, isDeep) {
    return repairRows(service, await faultsIn(database, isDeep));
  },
};

/** @returns a sentence for each thing that was done */
async function repairRows(service: Service, faults: SideIndexFaults): Promise<readonly string[]> {
  return mendedRows(await (await service.get(SideIndexRepair)).run(faults));
}

async function faultsIn({ source, dialect }: OpenDatabase, isDeep: boolean): Promise<SideIndexFaults> {
  const faults = await checkSideIndex(new Reads(source));
  if (!isDeep) return faults;
  const records = new Map(faults.records);
  for (const [typeId, ids] of await compareSideIndex(source, dialect)) {
    records.set(typeId, [...new Set([...(records.get(typeId) ?? []), ...ids])]);
  }
  return { ...faults, records };
}

function mendedRows({ records, leftOver, fields, taken }: MendedIndex): string[] {
  return [
    ...(records > 0 ? [`indexed the fields of ${records} records anew`] : []),
    ...(leftOver > 0 ? [`dropped the rows of ${leftOver} records that are gone or in the trash`] : []),
    ...(fields > 0 ? [`dropped the rows of ${fields} fields that are gone or not indexed`] : []),
    ...(taken.length > 0
      ? [`left as they were, since another record has a value of theirs that has to be unique: ${listed(taken)}`]
      : []),
  ];
}

function listed(ids: readonly number[]): string {
  const others = ids.length > MOST_NAMED ? ' …' : '';
  return `${ids.slice(0, MOST_NAMED).join(', ')}${others}`;
}

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
