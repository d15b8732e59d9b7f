import { readFile } from 'node:fs/promises';
import { ValidationError } from '../../common/errors/domain-error.js';
import { unsafeValues } from '../../common/http/body/json-extent.js';
import { exactJson } from '../../common/text/exact-numbers.js';
import { TypeCatalogue } from '../../content-types/type-catalogue.js';
import type { TypeView } from '../../content-types/definition/type-view.js';
import { applyTypes } from './apply-types.js';
import { type Command } from '../command.js';
import { UsageError } from '../usage-error.js';
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
  if (file === '-') return invocation.standardInput();
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
}

/** One definition, or a list of them. */
function definitionsIn(text: string, file: string): readonly unknown[] {
  try {
    const content = exactJson(text);
    return Array.isArray(content) ? (content as unknown[]) : [content];
  } catch (cause) {
    throw new UsageError(`${file === '-' ? 'Standard input' : `The file ${file}`} is not valid JSON.`, { cause });
  }
}
