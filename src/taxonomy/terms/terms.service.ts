import { idOf } from '../../common/text/names.js';
import { Injectable } from '@nestjs/common';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { composed } from '../../common/text/slug.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { Term } from '../taxonomies/taxonomy.entity.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import { TERM_COLUMNS, termOf, type TermColumns, type TermRow } from './term-row.js';
import { nameKey } from './term-keys.js';
import { hasAnySlug, isSameName, slugKey, type Slugs } from './term-slug.js';

/** Terms that are read in one turn of the event loop. */
const PORTION = 2_000;
const CACHE_SIZE = 20_000;

/** Finds terms. One that was merged is found as the one it went into. */
@Injectable()
export class TermsService {
  private readonly cache = new Map<number, TermRow>();
  private cached = '';

  constructor(
    private readonly reads: Reads,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  /** Terms by the ids that were asked for; ids that belong to none are absent. From memory while no term changes. */
  async byIds(ids: Iterable<number>): Promise<ReadonlyMap<number, TermRow>> {
    const asked = [...new Set(ids)];
    if (asked.length === 0) return new Map();
    const state = await this.taxonomies.state();
    this.forget(state);
    const missing = asked.filter((id) => !this.cache.has(id));
    const found = new Map(this.remembered(asked));
    for (let start = 0; start < missing.length; start += PORTION) {
      if (start > 0) await ownTurn();
      for (const [id, term] of await this.read(missing.slice(start, start + PORTION))) {
        found.set(id, term);
        // What was read before a change must not stay after it.
        if (this.cached === state) this.cache.set(id, term);
      }
    }
    return found;
  }

  /** The terms that are in memory, as they were there last. */
  remembered(ids: Iterable<number>): ReadonlyMap<number, TermRow> {
    return new Map([...ids].flatMap((id) => [this.cache.get(id)].flatMap((term) => (term ? [[id, term]] : []))));
  }

  /** The term that a reference stands for: a number is an id first, a text a slug. */
  async find(taxonomy: string, reference: string | number): Promise<TermRow | null> {
    const text = String(reference);
    const byId = typeof reference === 'number' ? await this.findById(taxonomy, text) : null;
    return byId ?? (await this.findAll(new Map([[taxonomy, new Set([text])]]))).get(slugKey(taxonomy, text)) ?? null;
  }

  /** The terms that texts stand for, slugs first and ids after them, by {@link slugKey}. Texts that stand for none are absent. */
  async findAll(texts: Slugs): Promise<ReadonlyMap<string, TermRow>> {
    const bySlug = await this.findBySlugs(texts);
    const left = [...texts].flatMap(([taxonomy, own]) =>
      [...own].flatMap((text) => {
        const [key, id] = [slugKey(taxonomy, text), idOf(text)];
        return id === null || bySlug.has(key) ? [] : [{ taxonomy, key, id }];
      }),
    );
    const terms = await this.byIds(left.map(({ id }) => id));
    const byId = left.flatMap(({ taxonomy, key, id }) => {
      const term = terms.get(id);
      return term?.taxonomy === taxonomy ? [[key, term] as const] : [];
    });
    return new Map([...bySlug, ...byId]);
  }

  /** The term that has a slug, or that took the place of the one that had it. */
  async findBySlug(taxonomy: string, text: string): Promise<TermRow | null> {
    return (await this.findBySlugs(new Map([[taxonomy, new Set([text])]]))).get(slugKey(taxonomy, text)) ?? null;
  }

  /** The term of a name. */
  async findByName(taxonomy: string, name: string): Promise<TermRow | null> {
    const terms = await this.reads.of(Term).findBy({ taxonomy, nameKey: nameKey(name) });
    return terms.find((term) => isSameName(term.name, name)) ?? null;
  }

  private async findById(taxonomy: string, text: string): Promise<TermRow | null> {
    const id = idOf(text);
    const term = id === null ? undefined : (await this.byIds([id])).get(id);
    return term?.taxonomy === taxonomy ? term : null;
  }

  /** {@link findBySlug} for all of them in one statement, by {@link slugKey}. */
  private async findBySlugs(texts: Slugs): Promise<ReadonlyMap<string, TermRow>> {
    const slugs = new Map([...texts].map(([taxonomy, own]) => [taxonomy, new Set([...own].map(composed))]));
    if (slugs.size === 0) return new Map();
    const [own, former] = [hasAnySlug('t', slugs), hasAnySlug('r', slugs)];
    const rows = await this.reads.select<TermColumns & { asked: string; term_id: number | string }>(
      `SELECT ${TERM_COLUMNS}, t.slug AS asked, 0 AS term_id FROM terms t WHERE ${own.sql}
       UNION ALL
       SELECT ${TERM_COLUMNS}, r.slug AS asked, r.term_id FROM term_redirects r JOIN terms t ON t.id = r.into_id
        WHERE ${former.sql}`,
      [...own.values, ...former.values],
    );
    // The term that has the slug goes before those that had it, of which the last one counts.
    const inOrder = rows.toSorted((a, b) => rank(a.term_id) - rank(b.term_id));
    const found = new Map(inOrder.map((row) => [slugKey(row.taxonomy, row.asked), termOf(row)]));
    return new Map(
      [...texts].flatMap(([taxonomy, own]) =>
        [...own].flatMap((text) => {
          const term = found.get(slugKey(taxonomy, composed(text)));
          return term ? [[slugKey(taxonomy, text), term] as const] : [];
        }),
      ),
    );
  }

  private async read(ids: readonly number[]): Promise<[number, TermRow][]> {
    const these = placeholders(ids);
    const rows = await this.reads.select<TermColumns & { asked: number | string }>(
      `SELECT t.id AS asked, ${TERM_COLUMNS} FROM terms t WHERE t.id IN (${these})
       UNION ALL
       SELECT r.term_id AS asked, ${TERM_COLUMNS} FROM term_redirects r JOIN terms t ON t.id = r.into_id
        WHERE r.term_id IN (${these})`,
      [...ids, ...ids],
    );
    return rows.map((row) => [Number(row.asked), termOf(row)]);
  }

  private forget(state: string): void {
    if (this.cached === state && this.cache.size < CACHE_SIZE) return;
    this.cache.clear();
    this.cached = state;
  }
}

function rank(termId: number | string): number {
  return Number(termId) === 0 ? Number.POSITIVE_INFINITY : Number(termId);
}
