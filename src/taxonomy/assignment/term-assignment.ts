import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { holdByIds, holdByNames, holdBySlugs, type HeldTerm } from './held-terms.js';
import { NewTags } from './new-tags.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import { subtreeOf } from '../terms/named-terms.js';
import { nameKey } from '../terms/term-keys.js';
import { isOfName, isSameName, slugKey, type Slugs } from '../terms/term-slug.js';
import { TermsService } from '../terms/terms.service.js';
import { notFound, wantedTerms, type WantedTerm, type WantedTerms } from './wanted-terms.js';

/** Which of these terms must not be assigned by their ids, inside of a unit of work. */
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
    const { terms, faults } = wantedTerms(wanted, await this.taxonomies.named(taxonomyNames));
    const found = await this.hold(manager, terms, hidden);
    const missing = terms.filter((term) => !found.has(term) && !faults.some(({ field }) => field === term.field));
    const all = [...faults, ...missing.filter(({ isCreatable }) => !isCreatable).map(notFound)];
    if (all.length > 0) throw new ValidationError(all);
    for (const [term, id] of await this.newTags.create(manager, missing)) found.set(term, id);
    return idsOf(wanted, terms, found);
  }

  /**
   * What a record is to have later, by taxonomy: ids of the terms that there are, and the names of tags that are to be
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
    const { terms, faults } = wantedTerms(wanted, await this.taxonomies.named(taxonomyNames));
    const found = await this.hold(manager, terms, hidden);
    const missing = terms.filter((term) => !found.has(term) && !term.isCreatable);
    const unknown = missing.filter(({ field }) => !faults.some((fault) => fault.field === field)).map(notFound);
    if (faults.length + unknown.length > 0) throw new ValidationError([...faults, ...unknown]);
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
    const bySlug = await holdBySlugs(manager, slugsOf(terms), this.dialect.lockInShareMode);
    const byName = await holdByNames(manager, nameKeysOf(terms), this.dialect.lockInShareMode);
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

function slugsOf(terms: readonly WantedTerm[]): Slugs {
  const slugs = new Map<string, Set<string>>();
  for (const { taxonomy, slugs: own } of terms) {
    slugs.set(taxonomy, new Set([...(slugs.get(taxonomy) ?? []), ...own]));
  }
  return slugs;
}

function nameKeysOf(terms: readonly WantedTerm[]): Slugs {
  const keys = new Map<string, Set<string>>();
  for (const { taxonomy, text } of terms.filter(({ isCreatable }) => isCreatable)) {
    keys.set(taxonomy, (keys.get(taxonomy) ?? new Set()).add(nameKey(text)));
  }
  return keys;
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

function idsOf(
  wanted: WantedTerms,
  terms: readonly WantedTerm[],
  found: ReadonlyMap<WantedTerm, number>,
): Record<string, readonly number[]> {
  return valuesOf(wanted, terms, (term) => found.get(term) ?? []);
}

/** What stands for the terms of each taxonomy, each once and in order. */
function valuesOf<Value extends number | string>(
  wanted: WantedTerms,
  terms: readonly WantedTerm[],
  valueOf: (term: WantedTerm) => Value | readonly Value[],
): Record<string, readonly Value[]> {
  const valuesIn = (name: string) => terms.filter(({ taxonomy }) => taxonomy === name).flatMap(valueOf);
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, [...new Set(valuesIn(name))]]));
}
