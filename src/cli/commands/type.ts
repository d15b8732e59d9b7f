import { readFile } from 'node:fs/promises';
import { SERVICE } from '../../common/access/caller.js';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import { unsafeValues } from '../../common/http/body/json-extent.js';
import { exactJson } from '../../common/text/exact-numbers.js';
import { TypeManagement } from '../../content-types/changes/type-management.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { TypeCatalogue } from '../../content-types/type-catalogue.js';
import type { TypeView } from '../../content-types/definition/type-view.js';
import { type Command } from '../command.js';
import { UsageError } from '../usage.js';
import type { Invocation } from '../invocation.js';
import { table } from '../table.js';

const list: Command = {
  name: 'type list',
  summary: 'List the content types.',
  async run(_, invocation) {
    const types = await typesOf(invocation);
    const rows = types.map(({ name, label, version, fields }) => [
      name,
      label,
      String(version),
      fields.map((field) => field.name).join(' '),
    ]);
    return { json: types, text: table(['NAME', 'LABEL', 'VERSION', 'FIELDS'], rows) };
  },
};

const exportAll: Command = {
  name: 'type export',
  summary: 'Print all content types as "type apply" takes them, here or on another database.',
  async run(_, invocation) {
    const types = (await typesOf(invocation)).map(portable);
    return { json: types, text: JSON.stringify(types, null, 2) };
  },
};

const apply: Command = {
  name: 'type apply',
  summary: 'Create or change the content types of a JSON file. Other types stay as they are.',
  positionals: ['<file|->'],
  options: { confirm: { value: '<name>', help: 'Accept that values of this type are lost.' } },
  async run({ positionals: [file = ''], values: { confirm = null } }, invocation) {
    const definitions = definitionsIn(await textOf(file, invocation), file);
    const faults = unsafeValues(definitions);
    if (faults.length > 0) throw new ValidationError(faults);
    const applied = await applyTypes(invocation, definitions, confirm);
    return { json: applied, text: applied.map(({ name, result }) => `${result.padEnd(9)}  ${name}`).join('\n') };
  },
};

export const typeCommands: readonly Command[] = [list, exportAll, apply];

async function typesOf(invocation: Invocation): Promise<readonly TypeView[]> {
  return (await (await invocation.get(TypeCatalogue)).definitions()).data;
}

/** Without what only holds in this database. Fields are then known by their names. */
function portable(type: TypeView): object {
  const { version: _version, created_at: _created, updated_at: _updated, fields, ...options } = type;
  return { ...options, fields: fields.map(({ id: _id, building: _building, ...field }) => field) };
}

async function textOf(file: string, invocation: Invocation): Promise<string> {
  if (file === '-') return invocation.streams.standardInput();
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
}

function definitionsIn(text: string, file: string): readonly unknown[] {
  try {
    const content = exactJson(text);
    return Array.isArray(content) ? (content as unknown[]) : [content];
  } catch (cause) {
    throw new UsageError(`${file === '-' ? 'Standard input' : `The file ${file}`} is not valid JSON.`, { cause });
  }
}

interface Applied {
  readonly name: string;
  readonly result: 'created' | 'changed' | 'unchanged';
}

/**
 * Makes or changes types until they are what the definitions say. New ones come first and without their relations.
 * @param confirm name of the type that may lose values
 * @throws {DomainError} of the first definition that cannot be applied, with its name
 */
async function applyTypes(
  invocation: Invocation,
  definitions: readonly unknown[],
  confirm: string | null,
): Promise<Applied[]> {
  const types = await invocation.get(ContentTypesService);
  const management = await invocation.get(TypeManagement);
  const created = new Set<string>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    if (await types.find(name)) continue;
    await naming(name, management.create(withoutRelations(definition), SERVICE));
    created.add(name);
  }
  const applied: Applied[] = [];
  for (const definition of definitions) {
    const name = nameOf(definition);
    const change = async (): Promise<boolean> => {
      const before = await types.require(name);
      const after = await management.change(before, definition, { confirm, caller: SERVICE });
      return after.version !== before.version;
    };
    const isChanged = await naming(name, change());
    applied.push({ name, result: created.has(name) ? 'created' : isChanged ? 'changed' : 'unchanged' });
  }
  return applied;
}

/** The rules of types refuse whatever stands in place of a name. */
function nameOf(definition: unknown): string {
  const { name } = (definition ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

function withoutRelations(definition: unknown): unknown {
  const { fields } = (definition ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields)) return definition;
  return { ...(definition as object), fields: fields.filter((field) => !isRelation(field)) };
}

function isRelation(field: unknown): boolean {
  const { type } = (field ?? {}) as { type?: unknown };
  return typeof type === 'string' && kindOf(type).isReference;
}

/** Puts the name of the type in front of a refusal. */
async function naming<Result>(name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = `${name === '' ? 'A type without a name' : name}: ${error.message}`;
    throw new DomainError(error.error, message, { cause: error, ...(error.details ? { details: error.details } : {}) });
  }
}
