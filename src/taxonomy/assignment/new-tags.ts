import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { holdBySlugs, type HeldTerm } from './held-terms.js';
import { nameKey, startOfKey } from '../terms/term-keys.js';
import { isSameName, slugKey, triedSlug } from '../terms/term-slug.js';
import type { WantedTerm } from './wanted-terms.js';

interface Tag {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** Creates terms by their names, as part of writing a record. */
@Injectable()
export class NewTags {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Of two units that create the same term, both get the one that there is in the end. Another name has another slug. */
  async create(manager: EntityManager, wanted: readonly WantedTerm[]): Promise<ReadonlyMap<WantedTerm, number>> {
    const made = new Map<WantedTerm, number>();
    let left = wanted;
    for (let tried = 1; left.length > 0; tried += 1) {
      const found = await this.tryOnce(manager, tagsOf(left, tried));
      for (const term of left) {
        const slug = triedSlug({ name: term.text }, tried);
        const held = found.get(slugKey(term.taxonomy, slug));
        if (held && (term.slugs[0] === slug || isSameName(held.name, term.text))) made.set(term, held.id);
      }
      left = left.filter((term) => !made.has(term));
    }
    return made;
  }

  /** The terms that have the slugs of these, which are made where there are none. */
  private async tryOnce(manager: EntityManager, tags: readonly Tag[]): Promise<ReadonlyMap<string, HeldTerm>> {
    await this.insert(manager, tags);
    const slugs = new Map<string, Set<string>>();
    for (const { taxonomy, slug } of tags) slugs.set(taxonomy, (slugs.get(taxonomy) ?? new Set()).add(slug));
    const found = await holdBySlugs(manager, slugs, this.dialect.lockInShareMode);
    await this.endKeys(manager, [...found.values()]);
    return found;
  }

  /** Ends the keys of those that are new as `endOfKey` does. Others may hold the rest too: to write it could lock both out. */
  private async endKeys(manager: EntityManager, held: readonly HeldTerm[]): Promise<void> {
    const ids = held.filter(({ sortKey }) => !sortKey.endsWith('!')).map(({ id }) => id);
    if (ids.length === 0) return;
    const sql = `UPDATE terms SET sort_key = CONCAT(sort_key, '!', id, '!') WHERE id IN (${placeholders(ids)})`;
    await execute(manager, sql, ids);
  }

  private async insert(manager: EntityManager, tags: readonly Tag[]): Promise<void> {
    const now = this.clock.now();
    const values = tags.flatMap(({ taxonomy, slug, name }) => [
      ...[taxonomy, slug, name, nameKey(name), slug],
      ...[startOfKey({ position: 0, name }), now, now],
    ]);
    await execute(
      manager,
      `${this.dialect.insertOrIgnore} INTO terms
         (taxonomy, slug, name, name_key, path, sort_key, position, depth, created_at, updated_at)
       VALUES ${tags.map(() => '(?, ?, ?, ?, ?, ?, 0, 1, ?, ?)').join(', ')}`,
      values,
    );
  }
}

/** Each once, in an order that all units keep: otherwise two of them could wait for each other. */
function tagsOf(wanted: readonly WantedTerm[], tried: number): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { taxonomy, text } of wanted) {
    const slug = triedSlug({ name: text }, tried);
    const key = slugKey(taxonomy, slug);
    if (!tags.has(key)) tags.set(key, { taxonomy, slug, name: text });
  }
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}
