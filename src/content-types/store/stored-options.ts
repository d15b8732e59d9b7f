import type { Reader } from '../../database/statements/reads.js';
import type { TypeOptions } from '../definition/content-type.js';
import { ContentType } from './content-type.entity.js';

/** A row that keeps options as JSON. */
interface OptionsRow {
  readonly table: 'content_types' | 'content_fields';
  readonly id: number | string;
  /** `post` of a type, `post.price` of a field. */
  readonly name: string;
  readonly options: unknown;
}

/** The options in a row of a type or a field are not what the service has written: no record of the type can be read. */
class DamagedOptionsError extends Error {
  constructor({ table, id, name }: OptionsRow) {
    const owner = table === 'content_types' ? 'content type' : 'field';
    super(
      `The options of the ${owner} ${name} are damaged (table ${table}, id ${id}, column options). Restore a backup into another database, and copy this value from there by an UPDATE.`,
    );
  }
}

/**
 * The options in a row, as the service has written them.
 *
 * @throws {Error} they are no JSON object
 */
export function readOptions(row: OptionsRow): object {
  const value = parsed(row.options);
  if (!isObject(value)) throw new DamagedOptionsError(row);
  return value;
}

/** Faults of the options of types and fields, a sentence for each row. */
export async function damagedOptions(reader: Reader): Promise<readonly string[]> {
  const types = await reader.of(ContentType).find({ order: { id: 'ASC' } });
  const fields = await reader.select<Omit<OptionsRow, 'table'> & { readonly type: string }>(
    `SELECT f.id, f.name, f.options, t.name AS type
       FROM content_fields f JOIN content_types t ON t.id = f.type_id ORDER BY f.id`,
  );
  const damaged = [
    ...types
      .map(({ id, name, options }) => ({ id, name, options, table: 'content_types' as const }))
      .filter(({ options }) => !isOfType(options)),
    ...fields
      .map(({ type, ...row }) => ({ ...row, table: 'content_fields' as const, name: `${type}.${row.name}` }))
      .filter(({ options }) => !isObject(parsed(options))),
  ];
  return damaged.map((row) => new DamagedOptionsError(row).message);
}

/** Tells whether this is JSON with all that has to be in the options of a type for its records to be read. */
function isOfType(json: unknown): boolean {
  const value = parsed(json);
  if (!isObject(value)) return false;
  const { taxonomies, url_path: path, revisions } = value as Partial<Record<keyof TypeOptions, unknown>>;
  const keep = isObject(revisions) ? (revisions as { readonly keep?: unknown }).keep : undefined;
  return (
    Array.isArray(taxonomies) &&
    taxonomies.every((name) => typeof name === 'string') &&
    typeof path === 'string' &&
    Number.isSafeInteger(keep)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined`: it is no JSON. SQLite keeps what it is given, so that a cell may hold bytes in the place of a text. */
function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
