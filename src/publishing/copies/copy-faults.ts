import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { BatchLoader } from '../../common/concurrency/batch-loader.js';
import type { Fault } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { normalise } from '../../content-types/definition/field-definition.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { areThere, Reads } from '../../database/statements/reads.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { publicFaults } from '../../records/rows/whole-record.js';
import { othersWithValue } from '../../records/writing/record-index.js';
import { excessOf, mergedState, stateOf } from '../../records/writing/record-state.js';
import { missingTarget, RelationTargets } from '../../records/writing/relation-targets.js';
import { othersWithSlug, slugSpace } from '../../records/writing/slugs.js';
import { CopyTerms } from './copy-terms.js';

/** Finds what would keep a working copy from being published. */
@Injectable()
export class CopyFaults {
  /** The question about several copies together takes one statement. */
  private readonly others = new BatchLoader<Condition, boolean>(async (queries) => {
    const found = await areThere(this.reads, queries);
    return new Map(queries.map((query, at) => [query, found[at] ?? false]));
  });

  constructor(
    private readonly reads: Reads,
    private readonly relations: RelationTargets,
    private readonly terms: CopyTerms,
  ) {}

  /**
   * @param row the record as it is
   * @param input what is to be changed in it
   * @param caller who must see the records that it is to point to
   */
  async of(type: CompiledType, row: RecordRow, input: RecordBody, caller: Caller): Promise<readonly Fault[]> {
    const faults = await publicFaults(type, row, input);
    const broken = new Set(faults.map(({ field }) => field.split('.')[0]));
    const sound = Object.fromEntries(
      Object.entries(input)
        .filter(([name]) => !broken.has(name))
        .map(([name, value]) => [name, asWritten(type, name, value)]),
    );
    const [slugs, values, targets, terms] = await Promise.all([
      this.takenSlug(type, row, sound),
      this.takenValues(type, row, sound),
      this.relations.missingTargets(type, sound, caller, stateOf(row).values),
      this.terms.faults(input),
    ]);
    return [...faults, ...slugs, ...values, ...targets.map(missingTarget), ...terms, ...tooLarge(type, row, input)];
  }

  private async takenSlug(type: CompiledType, row: RecordRow, { slug }: RecordBody): Promise<Fault[]> {
    if (typeof slug !== 'string') return [];
    if ((await this.others.get(othersWithSlug(slugSpace(type, row), slug, row.id))) !== true) return [];
    return [{ field: 'slug', rule: 'slug_taken', message: `Another ${type.name} has the slug "${slug}".` }];
  }

  private async takenValues({ fields }: CompiledType, row: RecordRow, input: RecordBody): Promise<Fault[]> {
    const unique = fields.filter((field) => field.unique && (input[field.name] ?? null) !== null);
    const isTaken = await Promise.all(
      unique.map((field) => this.others.get(othersWithValue(field, input[field.name], row.id))),
    );
    return unique
      .filter((_, at) => isTaken[at])
      .map(({ name }) => ({ field: name, rule: 'unique', message: `Another record has this ${name}.` }));
  }
}

/** The record has grown since the copy was saved. */
function tooLarge(type: CompiledType, row: RecordRow, input: RecordBody): Fault[] {
  const excess = excessOf(type, mergedState(type, row, input, row.updated_at), stateOf(row));
  return excess ? [{ field: '', rule: 'max_length', message: excess.message }] : [];
}

/** A sound value in the form that a write gives it: a copy that is older than the kind of its field may have another one. */
function asWritten({ fieldsByName }: CompiledType, name: string, value: unknown): unknown {
  const field = fieldsByName.get(name);
  return field ? normalise(field, value) : value;
}
