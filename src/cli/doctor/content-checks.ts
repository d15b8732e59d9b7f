import type { DataSource } from 'typeorm';
import { damagedOptions } from '../../content-types/store/stored-options.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { withConsistentSnapshot, Reads, type Reader } from '../../database/statements/reads.js';
import {
  contentsWithoutRecord,
  recordsWithoutType,
  recordsOfNoStatus,
  assignmentsWithoutTerm,
} from '../../records/checks/record-faults.js';
import { checkContents, type DamagedContents } from '../../records/contents-check.js';
import { TEXT_COLUMNS, TIME_COLUMNS, type CellColumn } from '../../records/rows/record-cells.js';
import { copiesWithoutRecord } from '../../publishing/copies/copy-store.js';
import {
  revisionsWithoutRecord,
  checkHistories,
  checkNewest,
  type UnrecordedState,
} from '../../revisions/history/history-check.js';
import { redirectsWithoutTarget, termsWithoutTaxonomy } from '../../taxonomy/terms/terms-without-taxonomy.js';
import { misplacedTerms, termIdsAfter, type TreeFault, TreeRepair } from '../../taxonomy/terms/tree/tree-faults.js';
import { someOf, verdict, withExamples, type Check, type OpenDatabase } from './check.js';

const typesCheck: Check<OpenDatabase> = {
  name: 'types',
  async look({ source }) {
    return verdict(await damagedOptions(new Reads(source)), 'the definitions of all content types can be read');
  },
};

type Ids = (reader: Reader) => Promise<readonly number[]>;

/** Content that belongs to something that is gone. It is named, and stays. */
const KINDS: readonly (readonly [what: string, ids: Ids])[] = [
  ['records of a type that is gone', recordsWithoutType],
  ['records of an unknown status, which nothing lists or finds', recordsOfNoStatus],
  ['contents of a record that is gone', contentsWithoutRecord],
  ['records that are gone and have left revisions', revisionsWithoutRecord],
  ['working copies of a record that is gone', copiesWithoutRecord],
  ['terms of a taxonomy that is gone', termsWithoutTaxonomy],
  ['terms that are gone and still assigned to records', assignmentsWithoutTerm],
  ['terms that were merged into one that is gone', redirectsWithoutTarget],
];

const ownerlessCheck: Check<OpenDatabase> = {
  name: 'ownerless',
  async look({ source }) {
    const reads = new Reads(source);
    const faults: string[] = [];
    for (const [what, idsOf] of KINDS) {
      const ids = await idsOf(reads);
      if (ids.length > 0)
        faults.push(
          `There are ${ids.length} ${what}: ${someOf(ids)}. Restore that from a backup, or delete them by hand.`,
        );
    }
    return verdict(faults, 'all content belongs to something that is there');
  },
};

const PORTION = 1_000;
const REPAIR = 'Run: npm run cli -- doctor --repair.';
const BY_HAND =
  'Set their parent_id in the table terms to NULL, or to the id of another term of their taxonomy, and run: npm run cli -- doctor --repair.';

const SENTENCES: Readonly<Record<TreeFault, readonly [what: string, remedy: string]>> = {
  place: ['terms have another path, sort key or level than their parents give them', REPAIR],
  cycle: ['terms stand under themselves', BY_HAND],
  parent: ['terms stand under one that is gone or of another taxonomy', BY_HAND],
  depth: ['terms stand deeper than a tree may be', BY_HAND],
};

const treesCheck: Check<OpenDatabase> = {
  name: 'trees',
  async look({ source, dialect }) {
    const faults = [...(await faultsIn(source, dialect))].map(([fault, ids]) => {
      const [what, remedy] = SENTENCES[fault];
      return `${ids.length} ${what}: ${someOf(ids)}. ${remedy}`;
    });
    return verdict(faults, 'each term stands where its parents put it');
  },
  async repair(_, service) {
    const mended = await (await service.get(TreeRepair)).run();
    return mended > 0 ? [`put ${mended} terms where their parents put them`] : [];
  },
};

/** Each portion is read as it was at one moment: terms may be moved meanwhile. */
async function faultsIn(source: DataSource, dialect: Dialect): Promise<ReadonlyMap<TreeFault, readonly number[]>> {
  const faults = new Map<TreeFault, number[]>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const from = after;
    const [ids, misplaced] = await withConsistentSnapshot(source, dialect, async (reader) => {
      const next = await termIdsAfter(reader, from, PORTION);
      return [next, await misplacedTerms(reader, next)] as const;
    });
    for (const { id, fault } of misplaced) faults.set(fault, [...(faults.get(fault) ?? []), id]);
    after = ids.at(-1);
  }
  return faults;
}

const contentsCheck: Check<OpenDatabase> = {
  name: 'contents',
  isDeep: true,
  async look({ source }) {
    const { records, damaged, examples } = await checkContents(new Reads(source));
    const faults = withExamples(
      damaged,
      examples.map(damagedLine),
      (listed) =>
        `The contents of ${damaged} of ${records} records are damaged${listed}. Lists leave them out. Restore a backup, or delete them for good and create them again from a revision.`,
    );
    return verdict(faults, `the contents of ${records} records are whole`);
  },
};

function damagedLine({ recordId, type, column }: DamagedContents): string {
  const what = column === null ? 'there are none' : `${column} is no ${holdingOf(column)}`;
  return `${type ?? 'record'}/${recordId}: ${what}`;
}

/** The kind of value that a column has if it is whole. */
function holdingOf(column: CellColumn): string {
  if (TIME_COLUMNS.some((one) => one === column)) return 'time';
  return TEXT_COLUMNS.some((one) => one === column) ? 'text' : 'JSON object';
}

/** A write that changes nothing makes no revision. */
const ADVICE =
  'Change each of them once, as by a PUT of another title and one of its own again, and its history goes on; one in the trash by restoring it (POST …/restore) and deleting it again.';

/** Checks that the history of each record has its present state. What is lost of a history is content, so nothing repairs it. */
const revisionsCheck: Check<OpenDatabase> = {
  name: 'revisions',
  async look({ source }) {
    const { all, faulty, examples } = await checkNewest(new Reads(source));
    const faults = withExamples(
      faulty,
      examples.map(unrecordedLine),
      (listed) => `The newest revision of ${faulty} records is not their present version${listed}. ${ADVICE}`,
    );
    return verdict(faults, `the newest revision of ${all} records is their version`);
  },
};

const historiesCheck: Check<OpenDatabase> = {
  name: 'histories',
  isDeep: true,
  async look({ source }) {
    const { all, faulty, examples } = await checkHistories(new Reads(source));
    const faults = withExamples(
      faulty,
      examples.map(({ recordId, type, ts, reason }) => `${type ?? 'record'}/${recordId}/revisions/${ts}: ${reason}`),
      (listed) =>
        `${faulty} of ${all} revisions are damaged${listed}. The records themselves are not; a backup has what they were.`,
    );
    return verdict(faults, `${all} revisions are whole`);
  },
};

function unrecordedLine({ recordId, type, version, revision, isTrashed }: UnrecordedState): string {
  const place = isTrashed ? ', in the trash' : '';
  return `${type ?? 'record'}/${recordId}: version ${version}, ${revision === null ? 'no revision' : `newest revision ${revision}`}${place}`;
}

export const CONTENT_CHECKS: readonly Check<OpenDatabase>[] = [typesCheck, ownerlessCheck, treesCheck];
export const HISTORY_CHECKS: readonly Check<OpenDatabase>[] = [revisionsCheck, contentsCheck, historiesCheck];
