import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { type Reader, Reads, readerOf } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { TaxonomiesService } from '../../taxonomies/taxonomies.service.js';
import type { Taxonomy } from '../../taxonomies/taxonomy.js';
import { Term } from '../../taxonomies/taxonomy.entity.js';
import { MAX_DEPTH, sortKey } from '../term-keys.js';
import { TermStore } from '../term-store.js';

/**
 * The fault of a term in its tree: `place`: its path, sort key or level do not follow from its parents; `cycle`: it
 * stands under itself; `parent`: its parent is no term of its taxonomy; `depth`: it stands below the last level.
 */
export type TreeFault = 'place' | 'cycle' | 'parent' | 'depth';

/** A term that is wrong. */
interface MisplacedTerm {
  readonly id: number;
  readonly fault: TreeFault;
  /** The place that its parents give it; `null`: they put it nowhere. */
  readonly place: TreePlace | null;
}

/** The place of a term that follows from its parents. */
interface TreePlace {
  readonly path: string;
  readonly sortKey: string;
  readonly depth: number;
}

type Rows = ReadonlyMap<number, Term>;

/** All that a place in a tree follows from, without descriptions. */
const COLUMNS = {
  ...{ id: true, taxonomy: true, slug: true, name: true, position: true },
  ...{ parentId: true, path: true, sortKey: true, depth: true },
};
/** More levels than any tree has, so that a short cycle is seen as a whole. */
const MAX_CLIMB = 100;

/** The next ids of terms of all taxonomies. */
export async function termIdsAfter(reader: Reader, after: number, most: number): Promise<number[]> {
  const terms = await reader.of(Term).find({
    select: { id: true },
    where: { id: MoreThan(after) },
    order: { id: 'ASC' },
    take: most,
  });
  return terms.map(({ id }) => id);
}

/**
 * Finds the terms that are wrong in their trees. A statement for each level above them: the reader has to see what was
 * true at one moment. Terms under a wrong one are left out.
 */
export async function misplacedTerms(reader: Reader, ids: readonly number[]): Promise<readonly MisplacedTerm[]> {
  const rows = await withParents(reader, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? misplacedOf(row, rows) : [];
  });
}

async function withParents(reader: Reader, ids: readonly number[]): Promise<Rows> {
  const found = new Map<number, Term>();
  let missing = ids;
  for (let level = 0; level < MAX_CLIMB && missing.length > 0; level++) {
    const rows = await reader.of(Term).find({ select: COLUMNS, where: { id: In(missing) } });
    for (const row of rows) found.set(row.id, row);
    const parents = rows.flatMap(({ parentId }) => parentId ?? []);
    missing = [...new Set(parents)].filter((id) => !found.has(id));
  }
  return found;
}

function misplacedOf(row: Term, rows: Rows): MisplacedTerm[] {
  const { id } = row;
  const line = lineOf(row, rows);
  if (typeof line === 'string') return [{ id, fault: line, place: null }];
  if (line === null) return [];
  const place = treePlace(line);
  const isRight = row.path === place.path && row.sortKey === place.sortKey && row.depth === place.depth;
  return isRight ? [] : [{ id, fault: 'place', place }];
}

/** A term and those above it, from the one without a parent on; `null`: one of those above it is wrong itself. */
function lineOf(row: Term, rows: Rows): readonly Term[] | TreeFault | null {
  const line = [row];
  for (let at = row; at.parentId !== null;) {
    const parent = rows.get(at.parentId);
    if (parent === row) return 'cycle';
    if (parent?.taxonomy !== at.taxonomy) return at === row ? 'parent' : null;
    if (line.length === MAX_CLIMB) return null;
    line.unshift(parent);
    at = parent;
  }
  return line.length > MAX_DEPTH ? 'depth' : line;
}

/** @param line of a term, from the one without a parent on */
function treePlace(line: readonly Term[]): TreePlace {
  return {
    path: line.map(({ slug }) => slug).join('/'),
    sortKey: line.reduce((key, { id, position, name }) => sortKey(key, id, { position, name }), ''),
    depth: line.length,
  };
}

/** Terms that a unit of work puts right. */
const PORTION = 200;

/** Makes paths, sort keys and levels of terms anew from their parents, while others write. */
@Injectable()
export class TreeRepair {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly taxonomies: TaxonomiesService,
    private readonly store: TermStore,
  ) {}

  /** @returns how many terms were put right */
  async run(): Promise<number> {
    let mended = 0;
    for (let after = 0; ;) {
      const ids = await termIdsAfter(this.reads, after, PORTION);
      const misplaced = await misplacedTerms(this.reads, ids);
      const wrong = misplaced.filter(({ place }) => place !== null).map(({ id }) => id);
      if (wrong.length > 0) {
        for (const taxonomy of await this.taxonomies.all()) mended += await this.mend(taxonomy, wrong);
      }
      if (ids.length < PORTION) break;
      after = ids.at(-1) ?? after;
    }
    if (mended > 0) this.taxonomies.refresh();
    return mended;
  }

  /** Looks once more, at the terms of one taxonomy, when its tree is held. */
  private mend({ id: taxonomyId }: Taxonomy, ids: readonly number[]): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const taxonomy = await this.taxonomies.lock(manager, taxonomyId);
      if (!taxonomy) return 0;
      let mended = 0;
      for (const { id, place } of await misplacedTerms(readerOf(manager), ids)) {
        if (place) mended += (await manager.update(Term, { id, taxonomy: taxonomy.name }, place)).affected ?? 0;
      }
      if (mended > 0) await this.store.touch(manager, taxonomy);
      return mended;
    });
  }
}
