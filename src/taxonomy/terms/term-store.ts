import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, insertRow } from '../../database/statements/statement.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { TaxonomyEntity, Term } from '../taxonomies/taxonomy.entity.js';
import { TermListeners } from './term-listeners.js';
import { behind, codePoints, endOfKey, nameKey, sortKey, startOfKey } from './term-keys.js';
import type { TermReference } from './term-reference.js';
import type { StoredTerm } from './term-row.js';
import { TermUsageHost } from './term-usage.port.js';

/** The values that a term is to have. */
export interface TermDraft {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly position: number;
  readonly parent: StoredTerm | null;
}

/** The beginning of the terms under another one: the key, the path and the level. */
export interface Stem {
  readonly key: string;
  readonly path: string;
  readonly depth: number;
}

const TOP: Stem = { key: '', path: '', depth: 0 };

/** The statements that read and write terms inside a unit of work. */
@Injectable()
export class TermStore {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly usage: TermUsageHost,
    private readonly listeners: TermListeners,
  ) {}

  /** A term of a taxonomy; no record can be given it until the unit ends. */
  async lock(manager: EntityManager, { name }: Taxonomy, { column, value }: TermReference): Promise<StoredTerm | null> {
    await this.dialect.hold(manager, 'terms', { sql: `taxonomy = ? AND ${column} = ?`, values: [name, value] });
    return this.find(manager, { name }, { column, value });
  }

  find(
    manager: EntityManager,
    { name }: Pick<Taxonomy, 'name'>,
    { column, value }: TermReference,
  ): Promise<StoredTerm | null> {
    return manager.findOneBy(Term, { taxonomy: name, [column]: value });
  }

  async insert(manager: EntityManager, { name: taxonomy }: Pick<Taxonomy, 'name'>, draft: TermDraft): Promise<number> {
    const now = this.clock.now();
    const { slug, name, description, position, parent } = draft;
    const stem = parent ? stemOf(parent) : TOP;
    const start = stem.key + startOfKey(draft);
    const id = await insertRow(manager, Term, {
      ...{ taxonomy, slug, name, nameKey: nameKey(name), description, parentId: parent?.id ?? null, position },
      ...{ path: under(parent, slug), sortKey: start, depth: stem.depth + 1, madeByHand: 1 },
      ...{ createdAt: now, updatedAt: now },
    });
    await manager.update(Term, { id }, { sortKey: start + endOfKey(id) });
    return id;
  }

  /** Makes of a term what the draft says, unless it is that already, and takes along what stands under it. */
  async update(manager: EntityManager, taxonomy: Taxonomy, term: StoredTerm, draft: TermDraft): Promise<void> {
    const [renamed, moved] = [isRenamed(term, draft), isMoved(term, draft)];
    if (!renamed && !moved && term.description === draft.description) return;
    await this.write(manager, term, draft);
    if (renamed || moved) await this.touch(manager, taxonomy);
    if (renamed) await this.listeners.changed(manager, [term.id]);
  }

  private async write(manager: EntityManager, term: StoredTerm, draft: TermDraft): Promise<void> {
    const { slug, name, description, position, parent } = draft;
    await manager.update(
      Term,
      { id: term.id },
      {
        ...{ slug, name, nameKey: nameKey(name), description, parentId: parent?.id ?? null, position },
        ...{ updatedAt: this.clock.now(), madeByHand: 1 },
      },
    );
    const above = parent ? stemOf(parent) : TOP;
    const to = { key: sortKey(above.key, term.id, draft), path: under(parent, slug), depth: above.depth + 1 };
    await this.replant(manager, term.taxonomy, stemOf(term), to);
  }

  /** Puts what stands under a term under another one, or at the top. */
  async moveChildren(manager: EntityManager, term: StoredTerm, parent: StoredTerm | null): Promise<void> {
    await manager.update(Term, { parentId: term.id }, { parentId: parent?.id ?? null });
    const to = { key: parent?.sortKey ?? '', path: under(parent, ''), depth: parent?.depth ?? 0 };
    // The level below is where the key goes on, and the path goes on behind a slash.
    const from = { ...stemOf(term), path: `${term.path}/` };
    await this.replant(manager, term.taxonomy, from, to, '>');
  }

  /** The lowest level of a term and of everything under it. */
  async lowest(manager: EntityManager, { taxonomy, sortKey }: StoredTerm): Promise<number> {
    const within = And(MoreThanOrEqual(sortKey), LessThan(behind(sortKey)));
    return (await manager.maximum(Term, 'depth', { taxonomy, sortKey: within })) ?? 0;
  }

  async remove(manager: EntityManager, taxonomy: Taxonomy, id: number): Promise<void> {
    await manager.delete(Term, { id });
    await this.touch(manager, taxonomy);
    await this.listeners.changed(manager, [id]);
  }

  /**
   * Notes that records that show terms of this taxonomy may look different from now on. The time of it lies after all
   * that was written before, whatever the clock says.
   */
  async touch(manager: EntityManager, { id, termsChangedAt }: Taxonomy): Promise<void> {
    const latestWrite = await this.usage.get().latestWrite(manager);
    const at = Math.max(this.clock.now(), termsChangedAt + 1, latestWrite + 1);
    await manager.update(TaxonomyEntity, { id }, { termsChangedAt: at });
  }

  /** Gives all terms whose key begins with one stem another stem. */
  private async replant(
    manager: EntityManager,
    taxonomy: string,
    from: Stem,
    to: Stem,
    comparison: '>=' | '>' = '>=',
  ): Promise<void> {
    if (from.key === to.key && from.path === to.path) return;
    await execute(
      manager,
      `UPDATE terms SET path = CONCAT(?, SUBSTR(path, ?)), depth = depth + ?, sort_key = CONCAT(?, SUBSTR(sort_key, ?))
        WHERE taxonomy = ? AND sort_key ${comparison} ? AND sort_key < ?`,
      [
        ...[to.path, codePoints(from.path) + 1, to.depth - from.depth, to.key, codePoints(from.key) + 1],
        ...[taxonomy, from.key, behind(from.key)],
      ],
    );
  }

  /** A term that this unit of work has written. */
  async require(manager: EntityManager, id: number): Promise<StoredTerm> {
    const term = await manager.findOneBy(Term, { id });
    if (!term) throw new Error('A term vanished while it was being written.');
    return term;
  }
}

function isRenamed(term: StoredTerm, draft: TermDraft): boolean {
  return term.name !== draft.name || term.slug !== draft.slug;
}

function isMoved(term: StoredTerm, { parent, position }: TermDraft): boolean {
  return term.parentId !== (parent?.id ?? null) || term.position !== position;
}

function stemOf({ sortKey, path, depth }: StoredTerm): Stem {
  return { key: sortKey, path, depth };
}

/** `news/world`; with an empty slug what paths under the parent begin with. */
function under(parent: StoredTerm | null, slug: string): string {
  return parent ? `${parent.path}/${slug}` : slug;
}
