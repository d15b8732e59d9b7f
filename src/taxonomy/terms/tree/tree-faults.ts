import type { Reader } from '../../../database/statements/reads.js';
import { placeholders } from '../../../database/statements/statement.js';
import { MAX_DEPTH, sortKey } from '../term-keys.js';

/**
 * What is wrong with a term in its tree: `place`: its path, sort key or level do not follow from its parents; `cycle`: it
 * stands under itself; `parent`: its parent is no term of its taxonomy; `depth`: it stands below the last level.
 */
export type TreeFault = 'place' | 'cycle' | 'parent' | 'depth';

/** A term that is wrong. */
interface MisplacedTerm {
  readonly id: number;
  readonly fault: TreeFault;
  /** Where its parents put it; `null`: they put it nowhere. */
  readonly place: Place | null;
}

/** What follows from the parents of a term. */
interface Place {
  readonly path: string;
  readonly sortKey: string;
  readonly depth: number;
}

interface Row {
  readonly id: number | string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly position: number;
  readonly parent_id: number | string | null;
  readonly path: string;
  readonly sort_key: string;
  readonly depth: number;
}

type Rows = ReadonlyMap<number, Row>;

const COLUMNS = 'id, taxonomy, slug, name, position, parent_id, path, sort_key, depth';
/** More levels than any tree has, so that a short cycle is seen as a whole. */
const MAX_CLIMB = 100;

/** The next ids of terms of all taxonomies. */
export async function termIdsAfter(reader: Reader, after: number, most: number): Promise<number[]> {
  const rows = await reader.select<Pick<Row, 'id'>>(`SELECT id FROM terms WHERE id > ? ORDER BY id LIMIT ${most}`, [
    after,
  ]);
  return rows.map(({ id }) => Number(id));
}

/**
 * Those of some terms that are wrong in their trees. A statement for each level above them: the reader has to see what was
 * true at one moment. Of what stands under a term that is wrong itself nothing is said.
 */
export async function misplacedTerms(reader: Reader, ids: readonly number[]): Promise<readonly MisplacedTerm[]> {
  const rows = await withParents(reader, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? misplacedOf(row, rows) : [];
  });
}

async function withParents(reader: Reader, ids: readonly number[]): Promise<Rows> {
  const found = new Map<number, Row>();
  let missing = ids;
  for (let level = 0; level < MAX_CLIMB && missing.length > 0; level++) {
    const sql = `SELECT ${COLUMNS} FROM terms WHERE id IN (${placeholders(missing)})`;
    const rows = await reader.select<Row>(sql, missing);
    for (const row of rows) found.set(Number(row.id), row);
    const parents = rows.flatMap(({ parent_id: id }) => (id === null ? [] : [Number(id)]));
    missing = [...new Set(parents)].filter((id) => !found.has(id));
  }
  return found;
}

function misplacedOf(row: Row, rows: Rows): MisplacedTerm[] {
  const id = Number(row.id);
  const line = lineOf(row, rows);
  if (typeof line === 'string') return [{ id, fault: line, place: null }];
  if (line === null) return [];
  const place = placeOf(line);
  const isRight = row.path === place.path && row.sort_key === place.sortKey && row.depth === place.depth;
  return isRight ? [] : [{ id, fault: 'place', place }];
}

/** A term and those above it, from the one without a parent on; `null`: one of those above it is wrong itself. */
function lineOf(row: Row, rows: Rows): readonly Row[] | TreeFault | null {
  const line = [row];
  for (let at = row; at.parent_id !== null;) {
    const parent = rows.get(Number(at.parent_id));
    if (parent === row) return 'cycle';
    if (parent?.taxonomy !== at.taxonomy) return at === row ? 'parent' : null;
    if (line.length === MAX_CLIMB) return null;
    line.unshift(parent);
    at = parent;
  }
  return line.length > MAX_DEPTH ? 'depth' : line;
}

/** @param line of a term, from the one without a parent on */
function placeOf(line: readonly Row[]): Place {
  return {
    path: line.map(({ slug }) => slug).join('/'),
    sortKey: line.reduce((key, { id, position, name }) => sortKey(key, Number(id), { position, name }), ''),
    depth: line.length,
  };
}
