import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import type { Snapshot } from '../snapshots/snapshot.js';

/** The parts that are to be brought back. */
export interface RollbackRequest {
  readonly includesStatus: boolean;
  /** Names; `null`: everything. */
  readonly fields: readonly string[] | null;
  readonly isDryRun: boolean;
}

const CONTENT = ['title', 'slug', 'body'] as const;
const TERMS = 'terms';

/** The selected parts of a record. */
export class RollbackSelection {
  private readonly names: ReadonlySet<string> | null;
  /** Ids of fields by the names that they had then. */
  private readonly oldNames: ReadonlyMap<string, string>;

  /** @throws {ValidationError} something is named that the record neither has nor had */
  constructor(
    private readonly type: CompiledType,
    snapshot: Snapshot,
    { fields }: Pick<RollbackRequest, 'fields'>,
  ) {
    this.names = fields && new Set(fields);
    this.oldNames = new Map(snapshot.fields.flatMap(({ id, name }) => (name === null ? [] : [[name, id]])));
    const known = new Set([
      ...[...CONTENT, TERMS, ...type.taxonomies, ...Object.keys(snapshot.terms)],
      ...[...type.fieldsByName.keys(), ...this.oldNames.keys()],
    ]);
    const unknown = (fields ?? []).map((name, at) => ({ name, at })).filter(({ name }) => !known.has(name));
    if (unknown.length > 0) throw new ValidationError(unknown.map(unknownField));
  }

  hasContent(name: (typeof CONTENT)[number]): boolean {
    return this.names?.has(name) ?? true;
  }

  /** A field may be named as it is called now, or as it was then where no other one is called so now. */
  hasField({ id, name }: Pick<Field, 'id' | 'name'>): boolean {
    if (this.names === null || this.names.has(name)) return true;
    return [...this.names].some((one) => this.oldNames.get(one) === id && !this.type.fieldsByName.has(one));
  }

  hasTaxonomy(name: string): boolean {
    return this.names === null || this.names.has(TERMS) || this.names.has(name);
  }
}

function unknownField({ name, at }: { name: string; at: number }): { field: string; rule: string; message: string } {
  return { field: `fields.${at}`, rule: 'unknown', message: `fields.${at}: the record has no ${name}.` };
}
