import type { DataSource } from 'typeorm';
import { damagedOptions } from '../../content-types/store/stored-options.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { withConsistentSnapshot, Reads, type Reader } from '../../database/statements/reads.js';
import { readNextIds, type NextIds } from '../../database/statements/next-ids.js';
import {
  contentsWithoutRecord,
  recordsWithoutType,
  recordsOfNoStatus,
  assignmentsWithoutTerm,
} from '../../records/checks/ownerless-rows.js';
import { checkContents, type DamagedContents } from '../../records/contents-check.js';
import { TEXT_COLUMNS, TIME_COLUMNS, type CellColumn } from '../../records/rows/record-cells.js';
import { copiesWithoutRecord } from '../../publishing/copies/copy-store.js';
import { soundSnapshots } from '../../revisions/history/sound-snapshots.js';
import { redirectsWithoutTarget, termsWithoutTaxonomy } from '../../taxonomy/terms/terms-without-taxonomy.js';
import { misplacedTerms, termIdsAfter, type TreeFault, TreeRepair } from '../../taxonomy/terms/tree/tree-faults.js';
import { ReferencedIds } from '../../transfer/backup/referenced-ids.js';
import type { Check, OpenDatabase, CheckResult } from './check.js';

const MOST_NAMED = 20;

/** Whether the definitions of all content types can be read. */
export const typesCheck: Check<OpenDatabase> = {
  name: 'types',
  async look({ source }) {
    const faults = await damagedOptions(new Reads(source));
    if (faults.length === 0) return [{ ok: true, message: 'the definitions of all content types can be read' }];
    return faults.map((message) => ({ ok: false, message }));
  },
};

type Ids = (reader: Reader) => AsyncGenerator<number>;

/** What belongs to something that is gone. It is content, so it is named, and stays. */
const KINDS: readonly (readonly [what: string, ids: Ids])[] = [
  ['records of a type that is gone', recordsWithoutType],
  ['records of an unknown status, which nothing lists or finds', recordsOfNoStatus],
  ['contents of a record that is gone', contentsWithoutRecord],
  ['working copies of a record that is gone', copiesWithoutRecord],
  ['terms of a taxonomy that is gone', termsWithoutTaxonomy],
  ['terms that are gone and still assigned to records', assignmentsWithoutTerm],
  ['terms that were merged into one that is gone', redirectsWithoutTarget],
];

/** Whether content belongs to something that is there. */
export const ownerlessCheck: Check<OpenDatabase> = {
  name: 'ownerless',
  async look({ source }) {
    const reads = new Reads(source);
    const seen: CheckResult[] = [];
    for (const [what, ids] of KINDS) {
      const [count, named] = await counted(ids(reads));
      if (count > 0) seen.push({ ok: false, message: sentence(what, count, named) });
    }
    return seen.length > 0 ? seen : [{ ok: true, message: 'all content belongs to something that is there' }];
  },
};

async function counted(ids: AsyncGenerator<number>): Promise<[number, number[]]> {
  const named: number[] = [];
  let count = 0;
  for await (const id of ids) if (++count <= MOST_NAMED) named.push(id);
  return [count, named];
}

function sentence(what: string, count: number, named: readonly number[]): string {
  const others = count > named.length ? ' …' : '';
  return `There are ${count} ${what}: ${named.join(', ')}${others}. Restore that from a backup, or delete them by hand.`;
}

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

interface Seen {
  count: number;
  readonly named: number[];
}

/** Whether the terms of each taxonomy stand where their parents put them. */
export const treesCheck: Check<OpenDatabase> = {
  name: 'trees',
  async look({ source, dialect }) {
    const faults = await faultsIn(source, dialect);
    if (faults.size === 0) return [{ ok: true, message: 'each term stands where its parents put it' }];
    return [...faults].map(([fault, { count, named }]) => {
      const [what, remedy] = SENTENCES[fault];
      const others = count > named.length ? ' …' : '';
      return { ok: false, message: `${count} ${what}: ${named.join(', ')}${others}. ${remedy}` };
    });
  },
  async repair(_, service) {
    const mended = await (await service.get(TreeRepair)).run();
    return mended > 0 ? [`put ${mended} terms where their parents put them`] : [];
  },
};

/** Each portion is read as it was at one moment: terms may be moved meanwhile. */
async function faultsIn(source: DataSource, dialect: Dialect): Promise<ReadonlyMap<TreeFault, Seen>> {
  const faults = new Map<TreeFault, Seen>();
  for (let after = 0; ;) {
    const from = after;
    const [ids, misplaced] = await withConsistentSnapshot(source, dialect, async (reader) => {
      const next = await termIdsAfter(reader, from, PORTION);
      return [next, await misplacedTerms(reader, next)] as const;
    });
    for (const { id, fault } of misplaced) {
      const seen = faults.get(fault) ?? { count: 0, named: [] };
      seen.count += 1;
      if (seen.named.length < MOST_NAMED) seen.named.push(id);
      faults.set(fault, seen);
    }
    if (ids.length < PORTION) return faults;
    after = ids.at(-1) ?? after;
  }
}

/** Finds tables that would hand out an id that something else still mentions, as rows that were copied by hand leave them. */
export const sequencesCheck: Check<OpenDatabase> = {
  name: 'sequences',
  async look({ source, dialect }, isDeep) {
    const mentioned = await new ReferencedIds(new Reads(source)).inColumns();
    if (isDeep) await mentioned.inContents(soundSnapshots);
    const runner = source.createQueryRunner();
    try {
      return reuseSeen(await readNextIds(runner, dialect), mentioned.nextIds());
    } finally {
      await runner.release();
    }
  },
};

function reuseSeen(nextIds: NextIds, free: NextIds): CheckResult[] {
  const reused = Object.entries(free).filter(([table, id]) => (nextIds[table] ?? id) < id);
  if (reused.length === 0) return [{ ok: true, message: 'no id is handed out twice' }];
  return reused.map(([table, id]) => ({
    ok: false,
    message: `${table} would hand out the id ${nextIds[table]}, and ids up to ${id - 1} are mentioned elsewhere. To mend it, make a backup and restore it with --verify.`,
  }));
}

/** Whether the contents of every record can be read. */
export const contentsCheck: Check<OpenDatabase> = {
  name: 'contents',
  isDeep: true,
  async look({ source }) {
    const { records, damaged, examples } = await checkContents(new Reads(source));
    if (damaged === 0) return [{ ok: true, message: `the contents of ${records} records are whole` }];
    const shown = damaged > examples.length ? ` (the first ${examples.length} are listed below)` : '';
    const message = `The contents of ${damaged} of ${records} records are damaged${shown}. Lists leave them out. Restore a backup, or delete them for good and create them again from a revision.`;
    return [{ ok: false, message }, ...examples.map((one) => ({ ok: false, message: placeOf(one) }))];
  },
};

function placeOf({ recordId, type, column }: DamagedContents): string {
  const what = column === null ? 'there are none' : `${column} is no ${holdingOf(column)}`;
  return `${type ?? 'record'}/${recordId}: ${what}`;
}

/** What a column holds where it is whole. */
function holdingOf(column: CellColumn): string {
  if (TIME_COLUMNS.some((one) => one === column)) return 'time';
  return TEXT_COLUMNS.some((one) => one === column) ? 'text' : 'JSON object';
}
