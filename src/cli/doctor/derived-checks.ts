import { Reads } from '../../database/statements/reads.js';
import { wrongCounters, type WrongCounters } from '../../records/checks/count-drift.js';
import { RecordRepair } from '../../records/checks/record-repair.js';
import { wronglyIndexed } from '../../records/checks/side-index-check.js';
import { indexFaults, waitingJobs } from '../../search/checks/index-faults.js';
import { SearchReindex } from '../../search/indexing/search-reindex.js';
import { someOf, verdict, type Check, type OpenDatabase, type Service } from './check.js';

const REPAIR = 'npm run cli -- doctor --repair';

/** Checks that filters and sorting find each record: by the rows of `record_fields`, and with `--deep` by what they say. */
const fieldsCheck: Check<OpenDatabase> = {
  name: 'fields',
  async look({ source, dialect }, isDeep) {
    const ids = await wronglyIndexed(source, dialect, isDeep);
    const fault = `${ids.length} records are not indexed as they are: ${someOf(ids)}`;
    // What only reading the contents has found, only that finds again to repair it.
    const faults = ids.length > 0 ? [repairable(fault, `${REPAIR}${isDeep ? ' --deep' : ''}`)] : [];
    return verdict(faults, isDeep ? 'each row is that of its record' : 'each record has its rows');
  },
  repair: indexRows,
};

async function indexRows({ source, dialect }: OpenDatabase, service: Service): Promise<string[]> {
  const ids = await wronglyIndexed(source, dialect, true);
  const taken = await (await service.get(RecordRepair)).index(ids);
  const mended = ids.length - taken.length;
  return [
    ...(mended > 0 ? [`indexed the fields of ${mended} records anew`] : []),
    ...(taken.length > 0
      ? [`left as they were, since another record has a value of theirs that has to be unique: ${someOf(taken)}`]
      : []),
  ];
}

const countsCheck: Check<OpenDatabase> = {
  name: 'counts',
  async look({ source }) {
    const wrong = named(await wrongCounters(new Reads(source)));
    return verdict(
      wrong.map((sentence) => repairable(`${sentence} differ from what there is`)),
      'all numbers are those of the records',
    );
  },
  async repair(database, service) {
    // Terms are counted by the rows of records, so these have to be right first.
    const indexed = await indexRows(database, service);
    const mended = await (await service.get(RecordRepair)).recount();
    return [...indexed, ...named(mended).map((sentence) => `recounted ${sentence}`)];
  },
};

function named(counters: WrongCounters): string[] {
  return Object.entries(counters)
    .filter(([, n]) => n > 0)
    .map(([table, n]) => `${n} of ${table}`);
}

/** The background indexes some 400 records a second; a job that has waited for so long is not worked on. */
const LATE_MS = 3_600_000;

const searchCheck: Check<OpenDatabase> = {
  name: 'search',
  async look({ source, dialect }) {
    const reads = new Reads(source);
    const { missing, leftOver } = await indexFaults(reads, dialect);
    const { jobs, since } = await waitingJobs(reads);
    if (jobs > 0 && Date.now() - since < LATE_MS) {
      return [{ ok: true, message: `jobs of indexing that wait: ${jobs}, records to do: ${missing}` }];
    }
    const faults = [
      ...(missing > 0 ? [`${missing} records are not found as they are`] : []),
      ...(leftOver.length > 0 ? [`${leftOver.length} documents are of no record, or of what one was before`] : []),
      ...(jobs > 0 ? [`${jobs} jobs of indexing have waited for more than an hour`] : []),
    ];
    return verdict(
      faults.map((fault) => repairable(fault)),
      'each record is found',
    );
  },
  async repair({ source, dialect }, service) {
    const { leftOver } = await indexFaults(new Reads(source), dialect);
    await (await service.get(SearchReindex)).repair(leftOver);
    return ['indexed all records again'];
  },
};

function repairable(fault: string, repair = REPAIR): string {
  return `${fault}. Run: ${repair}.`;
}

/** Terms are counted by the rows of the side index, which is repaired first. */
export const DERIVED_CHECKS: readonly Check<OpenDatabase>[] = [fieldsCheck, countsCheck, searchCheck];
