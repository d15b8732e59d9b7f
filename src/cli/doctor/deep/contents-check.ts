import { Reads } from '../../../database/statements/reads.js';
import { checkContents, type DamagedContents } from '../../../records/contents-check.js';
import type { Check, OpenDatabase } from '../check.js';
import { TEXT_COLUMNS, TIME_COLUMNS, type CellColumn } from '../../../records/rows/record-cells.js';

/** Whether the contents of every record can be read. */
export const contentsCheck: Check<OpenDatabase> = {
  name: 'contents',
  isDeep: true,
  async look({ source }) {
    const { records, damaged, examples } = await checkContents(new Reads(source));
    if (damaged === 0) return [{ ok: true, message: `the contents of ${records} records are whole` }];
    const shown = damaged > examples.length ? `, of which the first ${examples.length} are named here` : '';
    const message = `The contents of ${damaged} of ${records} records are damaged${shown}. They show without what is lost; roll them back to a revision, or delete them.`;
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
