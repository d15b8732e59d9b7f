import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fault } from '../common/errors/domain-error.js';
import { execute, placeholders, select } from '../database/statements/statement.js';
import { Dialect } from '../database/dialect/dialect.js';
import { nextIdOf } from '../database/statements/next-ids.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { storedTermOf, STORED_COLUMNS, type StoredTerm, type StoredTermColumns } from './terms/stored-term.js';
import { holdTaxonomies } from './taxonomies/taxonomy.js';
import { readCopy, type CopyBody } from './term-copy.js';
import { MAX_DEPTH } from './terms/term-keys.js';
import { composed } from '../common/text/slug.js';
import { TermStore } from './terms/term-store.js';

/** The result of copying a term of another database. */
export interface TermCopyResult {
  readonly result: 'created' | 'used' | 'refused';
  readonly taxonomy: string;
  readonly faults: readonly Fault[];
}

/** Ids of terms here, by those that they have in the other database. */
export type TermIdsHere = Map<number, number>;

/** Each id is sent twice, and SQLite takes 32,766 values. */
const PORTION = 10_000;

interface Circumstances {
  /** Names of those that can have the terms. */
  readonly taxonomies: ReadonlySet<string>;
  /** From this id on no term ever had one here. */
  readonly unusedFrom: number;
  readonly isDryRun: boolean;
}

/** Terms that were read together. */
interface Here {
  readonly bySlug: Map<string, StoredTerm>;
  readonly byId: Map<number, StoredTerm>;
  /** Ids of terms that went into these, by {@link redirectKey}. */
  readonly redirects: ReadonlyMap<string, readonly number[]>;
  readonly takenIds: Set<number>;
  /** Greater than any that there is, and any that is about to come. */
  nextId: number;
}

/** Takes terms over from another database: those that there are by their slugs, the others with their ids where these are free. */
@Injectable()
export class TermCopies {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TermStore,
    private readonly dialect: Dialect,
  ) {}

  /**
   * @param bodies parents before what stands under them
   * @param circumstances `ids` is added to
   * @throws {DomainError} `overloaded`: a taxonomy of theirs is being deleted, on a cluster
   */
  async take(
    bodies: readonly unknown[],
    { ids, ...circumstances }: Circumstances & { readonly ids: TermIdsHere },
  ): Promise<TermCopyResult[]> {
    const read = bodies.map((body) => readCopy(body));
    const [taken, added] = await this.unitOfWork.run(async (manager) => {
      const intake = new Intake(this.store, manager, this.dialect, circumstances, ids);
      const copies = read.flatMap(({ body, faults }) => (faults.length > 0 ? [] : [body as CopyBody]));
      const taxonomies = await this.hold(manager, copies, circumstances);
      const here = await intake.look(copies);
      const results: TermCopyResult[] = [];
      for (const { body, faults } of read) {
        const all = [...faults, ...unknownTaxonomy(body, taxonomies)];
        const taxonomy = body.taxonomy ?? '';
        results.push(
          all.length > 0 ? { result: 'refused', taxonomy, faults: all } : await intake.one(body as CopyBody, here),
        );
      }
      return [results, intake.added] as const;
    });
    // The unit may have run more than once.
    for (const [there, id] of added) ids.set(there, id);
    return taken;
  }

  /** Those of the taxonomies that are still there. Neither they nor their trees change until the unit of work ends. */
  private async hold(
    manager: EntityManager,
    copies: readonly CopyBody[],
    { taxonomies, isDryRun }: Circumstances,
  ): Promise<ReadonlySet<string>> {
    if (isDryRun) return taxonomies;
    const names = [...new Set(copies.map(({ taxonomy }) => taxonomy))].filter((name) => taxonomies.has(name));
    if (names.length === 0) return new Set();
    if (this.dialect.hasSeveralWriters) {
      await this.dialect.hold(manager, 'taxonomies', { sql: `name IN (${placeholders(names)})`, values: names });
    }
    return holdTaxonomies(manager, this.dialect, names);
  }

  /**
   * The id here of a term that is gone: histories still name it. No other term may ever have its id, so that one
   * is kept from use; 0 where it is in use already.
   */
  async gone(id: number): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      if ((await idsInUse(manager, [id])).size > 0) return 0;
      if ((await nextIdOf(manager, this.dialect, 'terms')) <= id) await passBy(manager, this.store, id);
      return id;
    });
  }
}

/** The terms of one unit of work. */
class Intake {
  readonly added = new Map<number, number>();

  constructor(
    private readonly store: TermStore,
    private readonly manager: EntityManager,
    private readonly dialect: Dialect,
    private readonly circumstances: Circumstances,
    private readonly earlier: ReadonlyMap<number, number>,
  ) {}

  async look(copies: readonly CopyBody[]): Promise<Here> {
    const parents = copies.flatMap(({ parent_id: id }) => this.earlier.get(id ?? 0) ?? []);
    const terms = [
      ...(await this.terms(
        'slug',
        copies.map(({ slug }) => slug),
      )),
      ...(await this.terms('id', [...new Set(parents)])),
    ];
    const ids = copies.flatMap(({ id, merged = [] }) => [id, ...merged.map((one) => one.id)]);
    const nextId = await nextIdOf(this.manager, this.dialect, 'terms');
    return {
      nextId: ids.reduce((next, id) => Math.max(next, id + 1), nextId),
      bySlug: new Map(terms.map((term) => [keyOf(term), term])),
      byId: new Map(terms.map((term) => [term.id, term])),
      redirects: await redirectsInto(
        this.manager,
        terms.map(({ id }) => id),
      ),
      takenIds: await idsInUse(this.manager, ids),
    };
  }

  async one(copy: CopyBody, here: Here): Promise<TermCopyResult> {
    const { taxonomy } = copy;
    const known = here.bySlug.get(keyOf(copy));
    if (known) {
      this.added.set(copy.id, known.id);
      this.follow(copy, known, here);
      return { result: 'used', taxonomy, faults: [] };
    }
    const parent = this.parent(copy, here);
    const faults = parent === undefined ? [noParent(copy)] : depthFaults(parent);
    if (faults.length > 0) return { result: 'refused', taxonomy, faults };
    const term = await this.insert(copy, parent ?? null, here);
    here.bySlug.set(keyOf(copy), term);
    here.byId.set(term.id, term);
    this.added.set(copy.id, term.id);
    return { result: 'created', taxonomy, faults: [] };
  }

  /** `undefined`: it is not there. */
  private parent({ parent_id: id }: CopyBody, { byId }: Here): StoredTerm | null | undefined {
    if (id === null) return null;
    return byId.get(this.added.get(id) ?? this.earlier.get(id) ?? 0);
  }

  private async insert(copy: CopyBody, parent: StoredTerm | null, here: Here): Promise<StoredTerm> {
    if (this.circumstances.isDryRun) return pretended(copy, parent);
    const { slug, name, description, position, taxonomy } = copy;
    const stamp = {
      id: this.idFor(copy.id, here),
      createdAt: Date.parse(copy.created_at),
      updatedAt: Date.parse(copy.updated_at),
      isMadeByHand: copy.made_by_hand ?? false,
    };
    const draft = { slug, name, description, position, parent };
    const id = await this.store.insert(this.manager, { name: taxonomy }, draft, stamp);
    await this.redirect(copy, id, here);
    const term = await this.store.find(this.manager, { name: taxonomy }, { column: 'id', value: id });
    if (!term) throw new Error('A term vanished while it was being made.');
    return term;
  }

  /** The id that a term has there, unless one here has it, or had it: histories here would take one for the other. */
  private idFor(id: number, here: Here): number {
    const isFree = id >= this.circumstances.unusedFrom && !here.takenIds.has(id);
    const own = isFree ? id : here.nextId++;
    here.takenIds.add(own);
    return own;
  }

  /** Sends those here that went into a term there. */
  private async redirect({ taxonomy, merged = [] }: CopyBody, intoId: number, here: Here): Promise<void> {
    const next = here.nextId;
    for (const { id, slug } of merged) {
      const own = this.idFor(id, here);
      await execute(
        this.manager,
        'INSERT INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending) VALUES (?, ?, ?, ?, 0)',
        [own, taxonomy, composed(slug), intoId],
      );
      this.added.set(id, own);
    }
    // What counts the ids of terms knows nothing of redirects.
    if (here.nextId > next) await passBy(this.manager, this.store, here.nextId - 1);
  }

  /** Histories of those that went into a term there name the same redirect here, or the term itself. */
  private follow({ merged = [] }: CopyBody, known: StoredTerm, { redirects }: Here): void {
    for (const { id, slug } of merged) {
      const same = redirects.get(redirectKey(known.id, composed(slug))) ?? [known.id];
      this.added.set(id, same.includes(id) ? id : (same[0] ?? known.id));
    }
  }

  private async terms(column: 'slug' | 'id', values: readonly (string | number)[]): Promise<StoredTerm[]> {
    if (values.length === 0) return [];
    const sql = `SELECT ${STORED_COLUMNS} FROM terms WHERE ${column} IN (${placeholders(values)})`;
    return (await select<StoredTermColumns>(this.manager, sql, values)).map(storedTermOf);
  }
}

function pretended(copy: CopyBody, parent: StoredTerm | null): StoredTerm {
  const { id, taxonomy, slug, name, description, position } = copy;
  const place = { parentId: parent?.id ?? null, path: slug, depth: (parent?.depth ?? 0) + 1, sortKey: '' };
  return { id, taxonomy, slug, name, description, position, ...place, createdAt: 0, updatedAt: 0, isMadeByHand: false };
}

function keyOf({ taxonomy, slug }: { readonly taxonomy: string; readonly slug: string }): string {
  return `${taxonomy} ${slug}`;
}

function unknownTaxonomy({ taxonomy }: Partial<CopyBody>, known: ReadonlySet<string>): Fault[] {
  if (taxonomy === undefined || known.has(taxonomy)) return [];
  return [{ field: 'taxonomy', rule: 'unknown', message: `There is no taxonomy "${taxonomy}" before this line.` }];
}

function noParent({ parent_id: id }: CopyBody): Fault {
  return {
    field: 'parent_id',
    rule: 'term_not_found',
    message: `parent_id is no term before this line: ${String(id)}.`,
  };
}

function depthFaults(parent: StoredTerm | null | undefined): Fault[] {
  if (!parent || parent.depth < MAX_DEPTH) return [];
  return [{ field: 'parent_id', rule: 'depth', message: `A tree has at most ${MAX_DEPTH} levels.` }];
}

/** Which of these ids a term has, or had before it went into another one. */
async function idsInUse(manager: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (let start = 0; start < ids.length; start += PORTION) {
    const some = ids.slice(start, start + PORTION);
    const these = placeholders(some);
    const sql = `SELECT id FROM terms WHERE id IN (${these}) UNION ALL SELECT term_id AS id FROM term_redirects WHERE term_id IN (${these})`;
    const rows = await select<{ id: number | string }>(manager, sql, [...some, ...some]);
    for (const { id } of rows) found.add(Number(id));
  }
  return found;
}

async function redirectsInto(manager: EntityManager, ids: readonly number[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  if (ids.length === 0) return found;
  const sql = `SELECT term_id, slug, into_id FROM term_redirects WHERE into_id IN (${placeholders(ids)}) ORDER BY term_id`;
  const rows = await select<{ term_id: number | string; slug: string; into_id: number | string }>(manager, sql, ids);
  for (const { term_id: id, slug, into_id: into } of rows) {
    const key = redirectKey(Number(into), slug);
    found.set(key, [...(found.get(key) ?? []), Number(id)]);
  }
  return found;
}

/** By the term that it leads to, and by the slug that it stands for. */
function redirectKey(intoId: number, slug: string): string {
  return `${intoId} ${slug}`;
}

/** Has no term get an id any more that nothing has. */
async function passBy(manager: EntityManager, store: TermStore, id: number): Promise<void> {
  const draft = { slug: `~${id}`, name: `~${id}`, description: null, position: 0, parent: null };
  await store.insert(manager, { name: '~' }, draft, { id, createdAt: 0, updatedAt: 0, isMadeByHand: false });
  await execute(manager, 'DELETE FROM terms WHERE id = ?', [id]);
}
