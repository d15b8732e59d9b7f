import type { DataSource } from 'typeorm';
import { withConsistentSnapshot } from '../../../database/statements/consistent-snapshot.js';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { misplacedTerms, termIdsAfter, type TreeFault } from '../../../taxonomy/terms/tree/tree-faults.js';
import { TreeRepair } from '../../../taxonomy/terms/tree/tree-repair.js';
import type { Check, OpenDatabase } from '../check.js';

const PORTION = 1_000;
const MOST_NAMED = 20;
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
