import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import { subtreeOf } from '../terms/named-terms.js';
import { nameKey, startOfKey } from '../terms/term-keys.js';
import { isOfName, isSameName, slugKey, triedSlug, slugsOf } from '../terms/term-slug.js';
import { TermsService } from '../terms/terms.service.js';
import { holdByIds, holdByNames, holdBySlugs, type HeldTerm } from './held-terms.js';
import { notFound, wantedTerms, type WantedTerm, type WantedTerms } from './wanted-terms.js';

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

  /** If two units create the same term, both get the one that there is in the end. Another name has another slug. */
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
    const slugs = slugsOf(tags.map(({ taxonomy, slug }) => [taxonomy, slug]));
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

/** Finds the terms that must not be assigned by their ids, inside of a unit of work. */
export type HiddenTerms = (manager: EntityManager, ids: readonly number[]) => Promise<ReadonlySet<number>>;

const NONE_HIDDEN: HiddenTerms = () => Promise.resolve(new Set());

/** Terms of a subtree that a statement is given as ids; the ids of a larger one stay in the database. */
const MAX_LISTED = 200;

/** Turns what bodies and filters name into ids of terms. */
@Injectable()
export class TermAssignment {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly terms: TermsService,
    private readonly newTags: NewTags,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Ids of the terms that a record is to have, by taxonomy, each once and in order. A taxonomy without a tree gets the
   * terms that it lacks. None of them can be merged or deleted until the unit of work ends.
   *
   * @param taxonomyNames those of the record's type
   * @param hidden terms that are not there for who knows no more of them than an id
   * @throws {ValidationError} with every fault; their fields begin with `terms.`
   */
  async resolve(
    manager: EntityManager,
    taxonomyNames: Iterable<string>,
    wanted: WantedTerms,
    hidden: HiddenTerms = NONE_HIDDEN,
  ): Promise<Record<string, readonly number[]>> {
    const { terms, found } = await this.found(manager, taxonomyNames, wanted, hidden);
    const missing = terms.filter((term) => !found.has(term));
    for (const [term, id] of await this.newTags.create(manager, missing)) found.set(term, id);
    return valuesOf(wanted, terms, (term) => found.get(term) ?? []);
  }

  /**
   * The later terms of a record, by taxonomy: ids of the terms that there are, and the names of tags that are to be
   * made then.
   *
   * @param taxonomyNames those of the record's type
   * @param hidden as of {@link resolve}
   * @throws {ValidationError} with every fault; their fields begin with `terms.`
   */
  async planned(
    manager: EntityManager,
    taxonomyNames: Iterable<string>,
    wanted: WantedTerms,
    hidden: HiddenTerms,
  ): Promise<Record<string, readonly (number | string)[]>> {
    const { terms, found } = await this.found(manager, taxonomyNames, wanted, hidden);
    return valuesOf(wanted, terms, (term) => found.get(term) ?? term.text);
  }

  /**
   * The terms of these ids, by the ids that were asked for, a merged one as what it went into; those that are gone are
   * absent. None of them can be merged or deleted until the unit of work ends.
   */
  keep(manager: EntityManager, ids: readonly number[]): Promise<ReadonlyMap<number, HeldTerm>> {
    const inOrder = [...new Set(ids)].toSorted((a, b) => a - b);
    return holdByIds(manager, inOrder, this.dialect.lockInShareMode);
  }

  /**
   * The ids of some terms and of all that stands under each of them, by the term. `null`: they are too many to list.
   * Terms that are gone are absent.
   */
  async subtrees(ids: Iterable<number>): Promise<ReadonlyMap<number, readonly number[] | null>> {
    const parts = [...new Set(ids)].map((id) => ({ id, ...subtreeOf(id) }));
    if (parts.length === 0) return new Map();
    const rows = await this.reads.select<Record<'root' | 'id', number | string>>(
      parts
        .map(({ sql }) => `SELECT ? AS root, below.id FROM (${sql} LIMIT ${MAX_LISTED + 1}) below`)
        .join(' UNION ALL '),
      parts.flatMap(({ id, values }) => [id, ...values]),
    );
    const found = new Map<number, number[]>();
    for (const { root, id } of rows) {
      const below = found.get(Number(root));
      if (below) below.push(Number(id));
      else found.set(Number(root), [Number(id)]);
    }
    return new Map([...found].map(([root, below]) => [root, below.length > MAX_LISTED ? null : below]));
  }

  /** The terms that a body names, and the ids of those that there are; others are names of tags. */
  private async found(
    manager: EntityManager,
    taxonomyNames: Iterable<string>,
    wanted: WantedTerms,
    hidden: HiddenTerms,
  ): Promise<{ readonly terms: readonly WantedTerm[]; readonly found: Map<WantedTerm, number> }> {
    const { terms, faults } = wantedTerms(wanted, await this.taxonomies.named(taxonomyNames));
    const found = await this.hold(manager, terms, hidden);
    const missing = terms.filter((term) => !found.has(term) && !term.isCreatable);
    const unknown = missing.filter(({ field }) => !faults.some((fault) => fault.field === field)).map(notFound);
    if (faults.length + unknown.length > 0) throw new ValidationError([...faults, ...unknown]);
    return { terms, found };
  }

  private async hold(
    manager: EntityManager,
    terms: readonly WantedTerm[],
    hidden: HiddenTerms,
  ): Promise<Map<WantedTerm, number>> {
    const kept = await this.keep(
      manager,
      terms.flatMap(({ id }) => id ?? []),
    );
    const unseen = await hidden(manager, [...new Set([...kept.values()].map(({ id }) => id))]);
    const byId = new Map([...kept].filter(([, { id }]) => !unseen.has(id)));
    const slugs = slugsOf(terms.flatMap(({ taxonomy, slugs: own }) => own.map((slug) => [taxonomy, slug] as const)));
    const tags = terms.filter(({ isCreatable }) => isCreatable);
    const keys = slugsOf(tags.map(({ taxonomy, text }) => [taxonomy, nameKey(text)]));
    const bySlug = await holdBySlugs(manager, slugs, this.dialect.lockInShareMode);
    const byName = await holdByNames(manager, keys, this.dialect.lockInShareMode);
    const found = terms.flatMap((term) => {
      const anyTaxonomy = byId.get(term.id ?? 0);
      const byItsId = anyTaxonomy?.taxonomy === term.taxonomy ? anyTaxonomy : undefined;
      const byItsSlug = firstOf(term, bySlug, byName);
      const held = term.isIdFirst ? (byItsId ?? byItsSlug) : (byItsSlug ?? byItsId);
      return held ? [[term, held.id] as const] : [];
    });
    return new Map(found);
  }
}

/** The term of the slug that the text is, else that of its name. */
function firstOf(
  term: WantedTerm,
  bySlug: ReadonlyMap<string, HeldTerm>,
  byName: readonly HeldTerm[],
): HeldTerm | undefined {
  const [own = '', ofName = own] = term.slugs;
  const named = bySlug.get(slugKey(term.taxonomy, ofName));
  return (
    bySlug.get(slugKey(term.taxonomy, own)) ??
    (named && isOfName(named, ofName, term.text) ? named : byName.find((one) => isNamed(one, term)))
  );
}

function isNamed({ taxonomy, name }: HeldTerm, wanted: WantedTerm): boolean {
  return wanted.isCreatable && wanted.taxonomy === taxonomy && isSameName(name, wanted.text);
}

/** The entries for the terms of each taxonomy, each once and in order. */
function valuesOf<Value extends number | string>(
  wanted: WantedTerms,
  terms: readonly WantedTerm[],
  valueOf: (term: WantedTerm) => Value | readonly Value[],
): Record<string, readonly Value[]> {
  const valuesIn = (name: string) => terms.filter(({ taxonomy }) => taxonomy === name).flatMap(valueOf);
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, [...new Set(valuesIn(name))]]));
}
