import type { ThreadFile } from '../../database/reading-threads/thread-connection.js';
import type { SearchedType } from '../search-index.js';
import { StateCache } from '../state-cache.js';
import { gapsOf, joinedRanges, visibleRanges, type RowRange } from './row-ids.js';
import { unionAll } from './union-all.js';

/** The part of the index that may be seen. */
export interface VisibleRows {
  /** One for each type and status that is there: ids in them are in order. */
  readonly partitions: readonly RowRange[];
  /** The same in as few ranges as possible. */
  readonly joined: readonly RowRange[];
  /** The same part of the index always has the same name. */
  readonly name: string;
}

const memory = new StateCache<VisibleRows>(100);

export function visibleRows(file: ThreadFile, within: readonly SearchedType[]): VisibleRows {
  return memory.of(file.state, JSON.stringify(within), () => {
    const asked = visibleRanges(within);
    const isThere = areThere(file, asked);
    const partitions = asked.filter((_, index) => isThere[index]);
    const areEmpty = areThere(file, gapsOf(partitions)).map((has) => !has);
    const joined = joinedRanges(partitions, areEmpty);
    return { partitions, joined, name: joined.map(({ from, to }) => `${from}-${to}`).join(' ') };
  });
}

/** Whether there is anything in the index, for each of some ranges. */
function areThere({ prepare }: ThreadFile, ranges: readonly RowRange[]): boolean[] {
  if (ranges.length === 0) return [];
  const exists = 'SELECT EXISTS (SELECT 1 FROM search_index_docsize WHERE id BETWEEN ? AND ?)';
  const rows = prepare(unionAll(ranges.map(() => exists))).raw();
  return rows.all(...ranges.flatMap(({ from, to }) => [from, to])).map((row) => (row as [number])[0] === 1);
}
