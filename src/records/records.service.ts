import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../common/access/caller.js';
import type { CompiledType, RecordBody } from '../content-types/content-type.js';
import { precondition, requireVersion } from './precondition.js';
import { requireUpdate, requireTransition } from './record-access.js';
import { RecordReader } from './record-reader.js';
import { valuesOf, type RecordRow } from './record-row.js';
import { initialState, isSame, mergedState, stateOf } from './record-state.js';
import { RecordStatements, type RecordState, type Stamp } from './record-statements.js';
import { LostRace, RecordWriter } from './record-writer.js';
import { Relations } from './relations.js';
import { wantedSlug, withFreeSlug } from './slugs.js';
import { Stamps } from './stamps.js';

/** Which record a caller wants to write. */
export interface Target {
  /** An id, or `slug:<slug>`. */
  readonly reference: string;
  readonly caller: Caller;
  /** The header `If-Match`: versions that the caller insists on. */
  readonly ifMatch?: string | undefined;
}

/** Creates, changes, deletes and restores records. */
@Injectable()
export class RecordsService {
  constructor(
    private readonly reader: RecordReader,
    private readonly writer: RecordWriter,
    private readonly statements: RecordStatements,
    private readonly relations: Relations,
    private readonly stamps: Stamps,
  ) {}

  /**
   * @throws {ValidationError} the body does not fit the type
   * @throws {DomainError} `slug_taken`: the slug was sent and is not free; `insufficient_scope`: may not publish
   */
  create(type: CompiledType, body: unknown, caller: Caller): Promise<RecordRow> {
    return this.writer.write(type, async (current) => {
      const input = current.requireCreate(body);
      const stamp = await this.stamps.of(caller);
      const state = initialState(current, input, stamp.at);
      requireTransition(caller, current, 'draft', state.status);
      await this.relations.requireTargets(current, input, caller);
      const id = await this.writer.unit(current, (manager) => this.insert(manager, current, state, stamp));
      return this.reader.requireById(current, id);
    });
  }

  /**
   * Changes the fields that were sent and leaves the others; a change that changes nothing writes nothing.
   *
   * @throws {DomainError} `record_not_found`, `version_conflict`, `slug_taken`, `insufficient_scope`
   */
  async update(type: CompiledType, body: unknown, target: Target): Promise<RecordRow> {
    const { id } = await this.reader.require(type, target.reference, target.caller);
    return this.writer.writeTo(id, type, async (current) => {
      const input = current.requireUpdate(body);
      const row = await this.requireWritable(current, id, target, input);
      const stamp = await this.stamps.after(row, target.caller);
      const next = mergedState(current, row, input, stamp.at);
      if (isSame(row, next)) return row;
      requireTransition(target.caller, current, row.status, next.status);
      await this.relations.requireTargets(current, input, target.caller, valuesOf(row));
      await this.writer.unit(current, async (manager) => {
        if (!(await this.statements.update(manager, current, row, next, stamp))) throw new LostRace();
      });
      return this.reader.requireById(current, id);
    });
  }

  /** Puts a record into the trash, or removes it for good, out of the trash too. */
  async remove(type: CompiledType, target: Target, isPermanent: boolean): Promise<void> {
    const find = isPermanent ? 'requireEvenTrashed' : 'require';
    const { id } = await this.reader[find](type, target.reference, target.caller);
    await this.writer.writeTo(id, type, async (current) => {
      const row = await this.reader[find](current, String(id), target.caller);
      requireVersion(precondition(target.ifMatch), row, () => ({}));
      const stamp = await this.stamps.after(row, target.caller);
      await this.writer.unit(current, async (manager) => {
        const isDone = isPermanent
          ? await this.statements.remove(manager, row)
          : await this.statements.trash(manager, row, stamp);
        if (!isDone) throw new LostRace();
      });
    });
  }

  /** Takes a record out of the trash; one that is not in it stays as it is. A slug that was taken meanwhile gets a number. */
  async restore(type: CompiledType, target: Target): Promise<RecordRow> {
    const { id } = await this.reader.requireEvenTrashed(type, target.reference, target.caller);
    return this.writer.writeTo(id, type, async (current) => {
      const row = await this.reader.requireEvenTrashed(current, String(id), target.caller);
      requireVersion(precondition(target.ifMatch), row, () => ({}));
      if (row.trashed_at === 0) return row;
      requireTransition(target.caller, current, 'draft', row.status);
      const stamp = await this.stamps.after(row, target.caller);
      await this.writer.unit(current, async (manager) => {
        const isDone = await withFreeSlug(manager, current.id, stateOf(row), (state) =>
          this.statements.restore(manager, current, row, state, stamp),
        );
        if (!isDone) throw new LostRace();
      });
      return this.reader.requireById(current, id);
    });
  }

  /** A slug that was sent has to be free; one made from the title gives way. */
  private insert(manager: EntityManager, type: CompiledType, state: RecordState, stamp: Stamp): Promise<number> {
    const write = (candidate: RecordState) => this.statements.insert(manager, type, candidate, stamp);
    if (state.slug !== '') return write(state);
    return withFreeSlug(manager, type.id, { ...state, slug: wantedSlug(state.title, type.name) }, write);
  }

  private async requireWritable(
    type: CompiledType,
    id: number,
    { caller, ifMatch }: Target,
    input: RecordBody,
  ): Promise<RecordRow> {
    const row = await this.reader.require(type, String(id), caller);
    requireUpdate(caller, type, await this.stamps.isBy(row.created_by, caller));
    requireVersion(precondition(ifMatch), row, () => sentFields(type, row, input));
    return row;
  }
}

/** What the fields that somebody wants to write hold at present. */
function sentFields(type: CompiledType, row: RecordRow, input: RecordBody): Record<string, unknown> {
  const { values, publishedAt, ...state } = stateOf(row);
  const own = type.fields.map(({ id, name }) => [name, values[id] ?? null] as const);
  const present: Record<string, unknown> = { ...state, ...Object.fromEntries(own) };
  if (publishedAt !== null) present.published_at = new Date(publishedAt).toISOString();
  return Object.fromEntries(Object.keys(input).map((key) => [key, present[key] ?? null]));
}
