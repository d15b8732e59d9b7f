import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { areThere, Reads } from '../../database/statements/reads.js';
import { laterThan } from '../../records/rows/actors.js';
import { termIdsOf, type RecordRow } from '../../records/rows/record-row.js';
import { othersWithValue } from '../../records/writing/record-index.js';
import type { Reference } from '../../records/rows/record-views.js';
import { mergedState, stateOf } from '../../records/writing/record-state.js';
import { RelationTargets } from '../../records/writing/relation-targets.js';
import { othersWithSlug, slugSpace } from '../../records/writing/slugs.js';
import { RollbackTerms } from './rollback-terms.js';
import {
  fitting,
  oldContent,
  oldValues,
  without,
  type Body,
  type Rollback,
  type RollbackNotes,
} from './rollback-values.js';
import { RollbackSelection, type RollbackRequest } from './rollback-selection.js';
import { changesBetween, type Change } from '../snapshots/snapshot-diff.js';
import { snapshotOf, termNames, type PlannedSnapshot, type Snapshot } from '../snapshots/snapshot.js';

/** The body that brings an old state back, and the parts that could not be brought back. */
export interface RollbackPlan {
  /** A body that fits the type, of what differs only. */
  readonly input: RecordBody;
  /** The terms that are to change, as they will be shown. */
  readonly terms: PlannedSnapshot['terms'];
  readonly notes: RollbackNotes;
}

/** The subject of a plan. */
export interface RollbackCase {
  readonly type: CompiledType;
  readonly row: RecordRow;
  readonly snapshot: Snapshot;
  readonly request: RollbackRequest;
  readonly caller: Caller;
}

/** Finds out how much of an old state fits the type, the other records and the terms as they are by now. */
@Injectable()
export class RollbackPlanner {
  constructor(
    private readonly reads: Reads,
    private readonly relations: RelationTargets,
    private readonly terms: RollbackTerms,
    private readonly clock: Clock,
  ) {}

  /** @throws {ValidationError} a field is named that there is not, or is required by now and has no value */
  async plan({ type, row, snapshot, request, caller }: RollbackCase): Promise<RollbackPlan> {
    const notes: RollbackNotes = { kept: [], skipped: [] };
    const selection = new RollbackSelection(type, snapshot, request);
    const isPublic = (request.includesStatus ? snapshot.status : row.status) === 'published';
    const rollback: Rollback = { type, present: stateOf(row), snapshot, selection, notes, isPublic };
    const slug = await this.oldSlug(rollback, row);
    const values = await this.reachable(rollback, oldValues(rollback), caller);
    const { input: terms, shown } = await this.terms.of(rollback);
    const body = { ...oldContent(rollback, request), ...slug, ...values };
    const sent = terms === null ? body : { ...body, terms };
    await type.prepare(sent, 'update');
    const input = fitting(rollback, sent);
    return {
      input: await this.withoutTaken(rollback, input, row.id),
      terms: input.terms === undefined ? {} : shown,
      notes,
    };
  }

  /** The changes of a plan that is not carried out, in a turn of its own: with the plan they would take too long for one. */
  async changes({ input, terms }: RollbackPlan, type: CompiledType, row: RecordRow): Promise<Change[]> {
    await ownTurn();
    const before = stateOf(row);
    const names = await termNames(this.reads, termIdsOf(before.terms));
    const after = snapshotOf(type, mergedState(type, row, input, laterThan(row, this.clock.now())), names);
    return changesBetween(type, snapshotOf(type, before, names), { ...after, terms: { ...after.terms, ...terms } });
  }

  private async oldSlug({ type, snapshot, present, selection, notes }: Rollback, row: RecordRow): Promise<Body> {
    if (!selection.hasContent('slug') || snapshot.slug === present.slug) return {};
    const [isTaken] = await areThere(this.reads, [othersWithSlug(slugSpace(type, present), snapshot.slug, row.id)]);
    if (isTaken !== true) return { slug: snapshot.slug };
    notes.kept.push({ field: 'slug', reason: 'slug_taken' });
    return {};
  }

  /** Without references to records that are gone, or that the caller may not see. */
  private async reachable({ type, present, notes, isPublic }: Rollback, body: Body, caller: Caller): Promise<Body> {
    const missing = await this.relations.missingTargets(type, body, caller, present.values);
    const left: Body = { ...body };
    const same: string[] = [];
    for (const field of new Set(missing.map((one) => one.field))) {
      const gone = missing.filter((one) => one.field === field).map(({ reference }) => reference);
      for (const value of gone) notes.skipped.push({ field: field.name, reason: 'target_gone', value });
      left[field.name] = remaining(body[field.name], gone);
      if (isSame(left[field.name], present.values[field.id])) same.push(field.name);
    }
    return isPublic ? this.keepingRequired(without(left, same), type.fields) : without(left, same);
  }

  /** A relation that has lost all its targets is cleared, unless it has to have one. */
  private keepingRequired(body: Body, fields: readonly Field[]): Body {
    const stay = fields.filter(
      (field) => Object.hasOwn(body, field.name) && field.required && isReference(field) && isNone(body[field.name]),
    );
    return without(
      body,
      stay.map(({ name }) => name),
    );
  }

  /** Without values of unique fields that other records have by now. */
  private async withoutTaken({ type, notes }: Rollback, input: RecordBody, recordId: number): Promise<RecordBody> {
    const unique = type.fields.filter((field) => field.unique && input[field.name] != null);
    const values = unique.map((field) => [field, input[field.name]] as const);
    const isTaken = await areThere(
      this.reads,
      values.map(([field, value]) => othersWithValue(field, value, recordId)),
    );
    const taken = values.filter((_, at) => isTaken[at]).map(([{ name }]) => name);
    for (const field of taken) notes.kept.push({ field, reason: 'value_taken' });
    return without(input, taken);
  }
}

/** True if the rest of a relation is what the record has anyway: no targets are stored as none, or as an empty list. */
function isSame(left: unknown, now: unknown): boolean {
  return isSameJson(left, now) || (isNone(left) && isNone(now));
}

function isNone(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

function remaining(value: unknown, gone: readonly Reference[]): unknown {
  const ids = new Set(gone.map(({ id }) => id));
  return Array.isArray(value) ? (value as Reference[]).filter(({ id }) => !ids.has(id)) : null;
}
