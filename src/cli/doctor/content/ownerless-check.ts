import type { Reader } from '../../../database/statements/reads.js';
import { Reads } from '../../../database/statements/reads.js';
import { contentsWithoutRecord } from '../../../records/checks/contents-without-record.js';
import { recordsWithoutType } from '../../../records/counting/records-without-type.js';
import { recordsOfNoStatus } from '../../../records/checks/records-of-no-status.js';
import { assignmentsWithoutTerm } from '../../../records/checks/assignments-without-term.js';
import { redirectsWithoutTarget, termsWithoutTaxonomy } from '../../../taxonomy/terms/terms-without-taxonomy.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

const MOST_NAMED = 20;

type Ids = (reader: Reader) => AsyncGenerator<number>;

/** What belongs to something that is gone. It is content, so it is named, and stays. */
const KINDS: readonly (readonly [what: string, ids: Ids])[] = [
  ['records of a type that is gone', recordsWithoutType],
  ['records of an unknown status, which nothing lists or finds', recordsOfNoStatus],
  ['contents of a record that is gone', contentsWithoutRecord],
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
