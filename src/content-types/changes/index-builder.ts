import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import type { TypeDefinition } from '../definition/content-type.js';
import type { Field } from '../kinds/field.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { indexRows, needsIndex } from '../definition/field-index.js';
import { typeInUse } from './lossy-changes.js';
import { BUILDER_LEASE_MS, type Builder } from '../store/field-store.js';
import { TypeStore } from '../store/type-store.js';
import { TypeUsageHost, type Position } from '../store/type-usage.port.js';

/** A field of a type, whether or not it is still there. */
export interface FieldRef {
  readonly typeId: number;
  readonly fieldKey: number;
}

/** A field that is gone or needs no index any more. */
export type Drop = FieldRef;

/** A field whose index a process fills. */
export interface Build extends FieldRef {
  /** The process that has it; another one may take it over at any time. */
  readonly builder: string;
  /** True if no record had a value when the field was added: rows that are not there are those of absent values. */
  readonly isNew: boolean;
}

/** Id of the type of a field that no type has. */
const NO_TYPE = 0;
/** A lease that ends sooner is renewed. */
const RENEW_BELOW_MS = (BUILDER_LEASE_MS * 3) / 4;

/** Another process has the field now, or it needs no index any more, or the service stops. */
class SupersededError extends Error {}

type Step<Result> = (manager: EntityManager, type: TypeDefinition, field: Field) => Promise<Result>;

/**
 * Fills the side index for fields that become indexed or unique while there are records, some records at a time.
 * Writers maintain the rows of a field from the moment it is declared, so what has been filled stays true.
 */
@Injectable()
export class IndexBuilder {
  private isStopping = false;
  private readonly pace: UnitPace;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly types: ContentTypesService,
    private readonly host: TypeUsageHost,
    dialect: Dialect,
  ) {
    this.pace = new UnitPace({ hasOneLock: dialect.hasOneWriter });
  }

  /** Lets no further batch begin. What is not finished goes on at the next start. */
  stop(): void {
    this.isStopping = true;
  }

  /** @throws {DomainError} `type_in_use`: values of a field repeat that was to be unique; it is not unique then */
  async build(build: Build): Promise<void> {
    try {
      await this.fill(build);
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error;
    } finally {
      this.types.refresh();
    }
  }

  /** Fields whose index is being filled, or was left unfinished. */
  async unfinished(): Promise<readonly FieldRef[]> {
    const types = await this.types.all();
    return types.flatMap(({ id, fields }) =>
      fields.filter(({ building }) => building).map(({ key }) => ({ typeId: id, fieldKey: key })),
    );
  }

  /** {@link build} of a field whose process has let its lease end, unless it is finished by now. */
  async takeOverExpired(field: FieldRef): Promise<void> {
    const build = { ...field, builder: randomUUID(), isNew: false };
    if (await this.becomeBuilder(build)) await this.build(build);
  }

  /** Removes the rows of a field that is gone or needs none, unless it needs them again by now. */
  async drop({ typeId, fieldKey }: Drop): Promise<void> {
    const batch = async (manager: EntityManager): Promise<number> => {
      const type = await this.store.share(manager, typeId);
      const isNeeded = type?.fields.some((field) => field.key === fieldKey && needsIndex(field));
      return isNeeded === true ? 0 : this.host.get().dropIndex(manager, fieldKey);
    };
    while (!this.isStopping && (await this.unitOfWork.run(batch)) > 0);
  }

  /**
   * Fields that have rows and need none. Rows of a type that is gone are left to the removal of its records.
   * The types are read behind the rows, of which there are none before the field is.
   */
  async unusedFields(): Promise<readonly Drop[]> {
    const keys = await this.host.get().indexedFields();
    if ((await this.host.get().abandoned()).length > 0) return [];
    this.types.refresh();
    const fields = new Map(
      (await this.types.all()).flatMap(({ id, fields: own }) => own.map((field) => [field.key, { typeId: id, field }])),
    );
    return keys.flatMap((fieldKey) => {
      const known = fields.get(fieldKey);
      return known && needsIndex(known.field) ? [] : [{ typeId: known?.typeId ?? NO_TYPE, fieldKey }];
    });
  }

  private async fill(build: Build): Promise<void> {
    if (build.isNew) await this.each(build, (last) => this.gapsAfter(last));
    else await this.rebuild(build);
    await this.finish(build);
  }

  private async rebuild(build: Build): Promise<void> {
    // Rows from an earlier time may be there; what writers add meanwhile is written again below.
    while ((await this.step(build, (manager, _, { key }) => this.host.get().dropIndex(manager, key))) > 0);
    try {
      await this.each(build, (last) => this.batchAfter(last));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await this.giveUpUnique(build);
    }
  }

  private async each(build: Build, stepAfter: (last: Position | null) => Step<Position | null>): Promise<void> {
    let last: Position | null = null;
    do last = await this.step(build, stepAfter(last));
    while (last);
  }

  private gapsAfter(last: Position | null): Step<Position | null> {
    return (manager, type, field) => this.host.get().fillIndexGaps(manager, type.id, field.key, last);
  }

  /** Answers with the position of the last record of the batch; `null`: there are no more. */
  private batchAfter(after: Position | null): Step<Position | null> {
    return async (manager, type, field) => {
      const usage = this.host.get();
      const { records, last } = await usage.lockBatch(manager, type.id, after);
      const rows = records.map(({ id, createdAt, isTrashed, values }) => ({
        recordId: id,
        createdAt,
        rows: isTrashed ? [] : indexRows(field, values[field.id] ?? null),
      }));
      await usage.replaceIndex(manager, field.key, rows);
      return last;
    };
  }

  private step<Result>(build: Build, work: Step<Result>): Promise<Result> {
    return this.pace.run(1, (begun) =>
      this.unitOfWork.run(async (manager) => {
        begun();
        const type = await this.store.share(manager, build.typeId);
        const [held, field, { remaining }] = await this.held(manager, build, type);
        if (remaining < RENEW_BELOW_MS) await this.store.fields.update(manager, field, build.builder);
        return work(manager, held, field);
      }),
    );
  }

  /** @throws {SupersededError} */
  private async held(
    manager: EntityManager,
    { fieldKey, builder }: Build,
    type: TypeDefinition | null,
  ): Promise<[TypeDefinition, Field, Builder]> {
    const field = type?.fields.find(({ key }) => key === fieldKey);
    const found = await this.store.fields.builderOf(manager, fieldKey);
    if (this.isStopping || !type || !field || found?.id !== builder) throw new SupersededError();
    return [type, field, found];
  }

  private async change(build: Build, work: (field: Field) => { field: Field; builder?: string }): Promise<Field> {
    return this.unitOfWork.run(async (manager) => {
      const locked = await this.store.lock(manager, build.typeId);
      const [type, before] = await this.held(manager, build, locked);
      const { field, builder } = work(before);
      await this.store.fields.update(manager, field, builder ?? null);
      await this.store.bump(manager, type);
      return field;
    });
  }

  private async finish(build: Build): Promise<void> {
    await this.change(build, (field) => ({ field }));
  }

  /** A record was written meanwhile whose value another one already had. */
  private async giveUpUnique(build: Build): Promise<never> {
    const field = await this.change(build, (before) => {
      const after = { ...before, unique: false };
      return needsIndex(after) ? { field: after, builder: build.builder } : { field: after };
    });
    if (needsIndex(field)) await this.fill(build);
    else await this.drop(build);
    this.types.refresh();
    const type = await this.types.byId(build.typeId);
    throw typeInUse(type?.name ?? '', [{ field: field.name, change: 'unique', records: 2 }]);
  }

  private becomeBuilder(build: Build): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const type = await this.store.lock(manager, build.typeId);
      const field = type?.fields.find(({ key }) => key === build.fieldKey);
      const former = field && (await this.store.fields.builderOf(manager, field.key));
      if (!field || !former || former.remaining > 0) return false;
      await this.store.fields.update(manager, field, build.builder);
      return true;
    });
  }
}
