import { Reads } from '../../../database/statements/reads.js';
import { checkSideIndex, compareSideIndex, type SideIndexFaults } from '../../../records/checks/side-index-check.js';
import { SideIndexRepair, type MendedIndex } from '../../../records/checks/side-index-repair.js';
import type { Check, OpenDatabase, Service } from '../check.js';

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
export async function repairRows(service: Service, faults: SideIndexFaults): Promise<readonly string[]> {
  return sentences(await (await service.get(SideIndexRepair)).run(faults));
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

function sentences({ records, leftOver, fields, taken }: MendedIndex): string[] {
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
