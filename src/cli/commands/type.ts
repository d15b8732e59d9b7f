import { InvalidArgumentError } from 'commander';
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
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { table } from '../table.js';

export const typeCommands: Define = (program, act) => {
  const type = program.command('type').description('List, print and apply content types.');
  type.command('list').description('List the content types.').action(act(list));
  type
    .command('export')
    .description('Print all content types as "type apply" takes them, here or on another database.')
    .action(act(exportAll));
  type
    .command('apply <file|->')
    .description('Create or change the content types of a JSON file. Other types stay as they are.')
    .option('--confirm <name>', 'Accept that values of this type are lost.')
    .action(act(apply));
};

async function list(invocation: Invocation): Promise<Outcome> {
  const types = await typesOf(invocation);
  const rows = types.map(({ name, label, version, fields }) => [
    name,
    label,
    String(version),
    fields.map((field) => field.name).join(' '),
  ]);
  return { json: types, text: table(['NAME', 'LABEL', 'VERSION', 'FIELDS'], rows) };
}

async function exportAll(invocation: Invocation): Promise<Outcome> {
  const types = (await typesOf(invocation)).map(portable);
  return { json: types, text: JSON.stringify(types, null, 2) };
}

async function apply(invocation: Invocation, file: string, { confirm }: { confirm?: string }): Promise<Outcome> {
  const definitions = definitionsIn(await textOf(file, invocation), file);
  const faults = unsafeValues(definitions);
  if (faults.length > 0) throw new ValidationError(faults);
  const applied = await applyTypes(invocation, definitions, confirm ?? null);
  return { json: applied, text: applied.map(({ name, result }) => `${result.padEnd(9)}  ${name}`).join('\n') };
}

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
  } catch {
    throw new InvalidArgumentError(`The file ${file} cannot be read.`);
  }
}

function definitionsIn(text: string, file: string): readonly unknown[] {
  try {
    const content = exactJson(text);
    return Array.isArray(content) ? (content as unknown[]) : [content];
  } catch {
    throw new InvalidArgumentError(`${file === '-' ? 'Standard input' : `The file ${file}`} is not valid JSON.`);
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
