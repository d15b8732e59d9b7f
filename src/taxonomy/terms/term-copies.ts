import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fault } from '../../common/errors/domain-error.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { MAX_ID } from '../../common/id.js';
import { execute, placeholders, select } from '../../database/statement.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { nextIdOf } from '../../database/next-ids.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { reader } from '../input.js';
import { storedTermOf, STORED_COLUMNS, type StoredTerm, type StoredTermColumns } from './stored-term.js';
import { MAX_DEPTH } from './term-keys.js';
import { TERM_CREATE, type TermBody } from './term-input.js';
import { TermStore } from './term-store.js';

/** What became of a term of another database. */
export interface TakenTerm {
  readonly result: 'created' | 'used' | 'refused';
  readonly taxonomy: string;
  readonly faults: readonly Fault[];
}

/** Ids of terms here, by those that they have in the other database. */
export type TermIdsHere = Map<number, number>;

type CopyBody = Omit<TermBody, 'type'> & {
  readonly id: number;
  readonly taxonomy: string;
  readonly merged?: readonly { readonly id: number; readonly slug: string }[];
  readonly created_at: string;
  readonly updated_at: string;
};

const ID: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_ID };
const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const { type, ...own } = (TERM_CREATE as { properties: Record<string, JsonSchema> }).properties;
const MERGED: JsonSchema = {
  type: 'object',
  properties: { id: ID, slug: own.slug },
  required: ['id', 'slug'],
  additionalProperties: false,
};
const COPY: JsonSchema = {
  type: 'object',
  properties: {
    ...own,
    ...{ id: ID, taxonomy: type, created_at: TIME, updated_at: TIME },
    merged: { type: 'array', items: MERGED },
  },
  required: ['id', 'taxonomy', 'slug', 'name', 'description', 'parent_id', 'position', 'created_at', 'updated_at'],
  additionalProperties: false,
};
const readCopy = reader<CopyBody>(COPY, '');

/** Terms that were read together. */
interface Here {
  readonly bySlug: Map<string, StoredTerm>;
  readonly byId: Map<number, StoredTerm>;
  readonly takenIds: ReadonlySet<number>;
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
   * @param taxonomies names of those that can have the terms
   * @param ids is added to
   */
  async take(
    bodies: readonly unknown[],
    taxonomies: ReadonlySet<string>,
    ids: TermIdsHere,
    isDryRun: boolean,
  ): Promise<TakenTerm[]> {
    const read = bodies.map((body) => readCopy(body));
    const [taken, added] = await this.unitOfWork.run(async (manager) => {
      const intake = new Intake(this.store, manager, this.dialect, isDryRun, ids);
      const copies = read.flatMap(({ body, faults }) => (faults.length > 0 ? [] : [body as CopyBody]));
      const here = await intake.look(copies);
      const results: TakenTerm[] = [];
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

  /**
   * What a term that is gone is called here: histories still name it. Nobody else may ever have its id, so that one
   * is kept from use; 0 where it is in use already.
   */
  async gone(id: number): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      if ((await idsIn(manager, 'SELECT id FROM terms WHERE id IN (%)', [id])).size > 0) return 0;
      if ((await nextIdOf(manager, this.dialect, 'terms')) > id) return id;
      const draft = { slug: `~${id}`, name: `~${id}`, description: null, position: 0, parent: null };
      await this.store.insert(manager, { name: '~' }, draft, { id, createdAt: 0, updatedAt: 0 });
      await execute(manager, 'DELETE FROM terms WHERE id = ?', [id]);
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
    private readonly isDryRun: boolean,
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
    const ids = copies.map(({ id }) => id);
    const takenIds = new Set([
      ...(await idsIn(this.manager, 'SELECT id FROM terms WHERE id IN (%)', ids)),
      ...(await idsIn(this.manager, 'SELECT term_id AS id FROM term_redirects WHERE term_id IN (%)', ids)),
    ]);
    const nextId = await nextIdOf(this.manager, this.dialect, 'terms');
    return {
      nextId: Math.max(nextId, ...ids.map((id) => id + 1)),
      bySlug: new Map(terms.map((term) => [keyOf(term), term])),
      byId: new Map(terms.map((term) => [term.id, term])),
      takenIds,
    };
  }

  async one(copy: CopyBody, here: Here): Promise<TakenTerm> {
    const { taxonomy } = copy;
    const known = here.bySlug.get(keyOf(copy));
    if (known) {
      this.added.set(copy.id, known.id);
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
    if (this.isDryRun) return pretended(copy, parent);
    const { slug, name, description, position, taxonomy } = copy;
    const stamp = {
      id: here.takenIds.has(copy.id) ? here.nextId++ : copy.id,
      createdAt: Date.parse(copy.created_at),
      updatedAt: Date.parse(copy.updated_at),
    };
    const draft = { slug, name, description, position, parent };
    const id = await this.store.insert(this.manager, { name: taxonomy }, draft, stamp);
    for (const merged of copy.merged ?? []) {
      await execute(
        this.manager,
        `${this.dialect.insertOrIgnore} INTO term_redirects (term_id, taxonomy, slug, into_id, is_pending)
         VALUES (?, ?, ?, ?, 0)`,
        [merged.id, taxonomy, merged.slug, id],
      );
    }
    const term = await this.store.find(this.manager, { name: taxonomy }, { column: 'id', value: id });
    if (!term) throw new Error('A term vanished while it was being made.');
    return term;
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
  return { id, taxonomy, slug, name, description, position, ...place, createdAt: 0, updatedAt: 0 };
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

async function idsIn(manager: EntityManager, sql: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await select<{ id: number | string }>(manager, sql.replace('%', placeholders(ids)), ids);
  return new Set(rows.map(({ id }) => Number(id)));
}
