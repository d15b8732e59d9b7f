import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fault } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { nextIdOf } from '../../database/statements/next-ids.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { compileType } from '../definition/compiled-type.js';
import type { CompiledType, TypeDefinition } from '../definition/content-type.js';
import type { Field } from '../kinds/field.js';
import type { KnownNames } from '../definition/definition.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { readTypeCopy, type TypeCopy } from './type-copy.js';
import { fieldKey } from '../store/type-rows.js';
import { TypeStore } from '../store/type-store.js';
import { TypeUsageHost } from '../store/type-usage.port.js';

/** The result of copying a type of another database. */
export interface TypeCopyResult {
  readonly name: string;
  readonly result: 'created' | 'taken_over' | 'used';
  /** The type as it is here now. */
  readonly type: CompiledType;
  /** Ids of its fields here, by those that they have there. */
  readonly fieldIds: ReadonlyMap<string, string>;
}

/** Or why there can be no records of it here. */
export type TypeCopyOutcome = TypeCopyResult | { readonly name: string; readonly faults: readonly Fault[] };

interface Circumstances {
  /** Names of those that there are, or would be. */
  readonly taxonomies: readonly string[];
  /** From this key on no field ever had one here. */
  readonly unusedFrom: number;
  readonly isDryRun: boolean;
}

interface Planned {
  readonly copy: TypeCopy;
  readonly before: TypeDefinition | null;
  readonly result: TypeCopyResult['result'];
}

/** Takes types over from another database: as they are where that is possible, otherwise those of the same name. */
@Injectable()
export class TypeCopies {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly types: ContentTypesService,
    private readonly host: TypeUsageHost,
    private readonly dialect: Dialect,
  ) {}

  /** @param bodies all types together, since they may point to each other */
  async take(bodies: readonly unknown[], circumstances: Circumstances): Promise<TypeCopyOutcome[]> {
    const { taxonomies, isDryRun } = circumstances;
    const here = (await this.types.all()).map(({ name }) => name);
    const read = readAll(bodies, { types: here, taxonomies });
    const copies = read.flatMap((one) => ('faults' in one ? [] : [one]));
    const write = () => this.unitOfWork.run((manager) => this.write(manager, copies, circumstances));
    // On a cluster another server may be writing the first record of one that is unused.
    const taken = await (isDryRun ? write() : this.store.whileFrozen(await this.unused(copies), write));
    this.types.refresh();
    const byName = new Map(taken.map((one) => [one.name, one]));
    return Promise.all(
      read.map(async (one) => ('faults' in one ? one : await this.result(one, byName.get(one.name), isDryRun))),
    );
  }

  /** Makes sure that no field that comes later gets this id: values of a field that is gone are kept under it. */
  async reserve(fieldId: string): Promise<void> {
    const key = fieldKey(fieldId);
    await this.unitOfWork.run(async (manager) => {
      if ((await nextIdOf(manager, this.dialect, 'content_fields')) > key) return;
      const draft = { name: `~${key}`, type: 'json', label: '', required: false, ...NO_INDEX } as const;
      await this.store.fields.insert(manager, 0, { draft, position: 0 }, { key });
      await execute(manager, 'DELETE FROM content_fields WHERE id = ?', [key]);
    });
  }

  /** Ids of types that may become those of these names, since nothing was ever done with them. */
  private async unused(copies: readonly TypeCopy[]): Promise<number[]> {
    const names = new Set(copies.map(({ name }) => name));
    return (await this.types.all())
      .filter(({ name, version, fields }) => names.has(name) && version === 1 && fields.length === 0)
      .map(({ id }) => id);
  }

  private async write(
    manager: EntityManager,
    copies: readonly TypeCopy[],
    { unusedFrom, isDryRun }: Circumstances,
  ): Promise<Written[]> {
    const planned: Planned[] = [];
    for (const copy of copies) planned.push(await this.plan(manager, copy));
    const sound = planned.filter(({ result, copy, before }) => result !== 'used' || misfits(copy, before).length === 0);
    const fresh = sound.filter(({ result }) => result !== 'used');
    if (!isDryRun) await this.writeFresh(manager, fresh, unusedFrom);
    if (!isDryRun) for (const { copy } of fresh) await this.store.holdTargets(manager, copy.draft);
    return planned.map(({ copy, before, result }) => ({
      name: copy.name,
      result,
      faults: result === 'used' ? misfits(copy, before) : [],
    }));
  }

  /** One that was never used may become another one: so do those that a new database begins with. */
  private async plan(manager: EntityManager, copy: TypeCopy): Promise<Planned> {
    const before = await this.store.lockByName(manager, copy.name);
    if (!before) return { copy, before, result: 'created' };
    const isUnused = before.version === 1 && before.fields.length === 0;
    const isFree = isUnused && !(await this.host.get().hasRecords(manager, before.id));
    return { copy, before, result: isFree ? 'taken_over' : 'used' };
  }

  private async writeFresh(manager: EntityManager, fresh: readonly Planned[], unusedFrom: number): Promise<void> {
    const keys = fresh.flatMap(({ copy }) => copy.fieldIds.map(fieldKey));
    const used = keys.filter((key) => key < unusedFrom);
    const taken = new Set([...used, ...(await takenKeys(manager, keys))]);
    let next = Math.max(await nextIdOf(manager, this.dialect, 'content_fields'), ...keys.map((key) => key + 1));
    for (const { copy, before } of fresh) {
      const { draft, stamp } = copy;
      if (before) await this.store.replaceRow(manager, before.id, { ...draft, ...stamp });
      const typeId = before?.id ?? (await this.store.insertRow(manager, { ...draft, ...stamp }));
      const fields = draft.fields.map((field, position) => {
        const wanted = fieldKey(copy.fieldIds[position] ?? '');
        const key = taken.has(wanted) ? next++ : wanted;
        taken.add(key);
        return { draft: field, position, key };
      });
      await this.store.fields.insertAll(manager, typeId, fields);
    }
  }

  private async result(copy: TypeCopy, written: Written | undefined, isDryRun: boolean): Promise<TypeCopyOutcome> {
    const { name } = copy;
    if (!written || written.faults.length > 0) return { name, faults: written?.faults ?? [] };
    const isThere = !isDryRun || written.result === 'used';
    const type = isThere ? await this.types.require(name) : compileType(pretended(copy));
    const ids = copy.draft.fields.map((field, at) => {
      const here = type.fieldsByName.get(field.name);
      return [copy.fieldIds[at] ?? '', here?.id ?? ''] as const;
    });
    return { name, result: written.result, type, fieldIds: new Map(ids) };
  }
}

interface Written {
  readonly name: string;
  readonly result: TypeCopyResult['result'];
  readonly faults: readonly Fault[];
}

const NO_INDEX = { unique: false, indexed: false, searchable: false };

/** The faults of a type here that keep it from holding the records of one of the same name. */
function misfits({ draft }: TypeCopy, here: TypeDefinition | null): Fault[] {
  if (!here) return [];
  const fields = new Map(here.fields.map((field) => [field.name, field]));
  const faults = draft.fields
    .filter((field) => !isSameKind(field, fields.get(field.name)))
    .map(({ name, type }) => lacking(here, name, `has no field ${name} of the kind ${type}`));
  const taxonomies = draft.options.taxonomies
    .filter((name) => !here.taxonomies.includes(name))
    .map((name) => lacking(here, name, `does not use the taxonomy ${name}`));
  return [...faults, ...taxonomies];
}

function isSameKind(there: Pick<Field, 'type' | 'of' | 'many'>, here: Field | undefined): boolean {
  return here?.type === there.type && here.of === there.of && here.many === there.many;
}

function lacking({ name }: TypeDefinition, field: string, what: string): Fault {
  return { field, rule: 'type', message: `The content type ${name} here ${what}. Change it, or import elsewhere.` };
}

async function takenKeys(manager: EntityManager, keys: readonly number[]): Promise<Set<number>> {
  if (keys.length === 0) return new Set();
  const sql = `SELECT id FROM content_fields WHERE id IN (${placeholders(keys)})`;
  const rows = await select<{ id: number | string }>(manager, sql, keys);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** A type that points to one which cannot be taken cannot be taken either. */
function readAll(bodies: readonly unknown[], { types, taxonomies }: KnownNames): ReturnType<typeof readTypeCopy>[] {
  for (let names = bodies.flatMap(nameOf); ;) {
    const read = bodies.map((body) => readTypeCopy(body, { types: [...types, ...names], taxonomies }));
    const sound = read.flatMap((one) => ('faults' in one ? [] : [one.name]));
    if (sound.length === names.length) return read;
    names = sound;
  }
}

function nameOf(body: unknown): string[] {
  const { name } = (body ?? {}) as { name?: unknown };
  return typeof name === 'string' ? [name] : [];
}

function pretended({ name, draft, stamp, fieldIds }: TypeCopy): TypeDefinition {
  const fields = draft.fields.map((field, at) => {
    const id = fieldIds[at] ?? '';
    return { ...field, id, key: fieldKey(id) };
  });
  const { version, createdAt, updatedAt } = stamp;
  return { ...draft.options, id: 0, name, fields, version, created_at: createdAt, updated_at: updatedAt };
}
