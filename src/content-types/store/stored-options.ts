import { isJsonObject, jsonObject } from '../../common/schema/json-object.js';
import type { Reader } from '../../database/statements/reads.js';
import type { TypeOptions } from '../definition/content-type.js';

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
 * @throws {Error} they are no JSON object, or lack parts without which no record of the type can be read
 */
export function readOptions(row: OptionsRow): object {
  const value = jsonObject(row.options);
  if (value === null || (row.table === 'content_types' && !isOfType(value))) throw new DamagedOptionsError(row);
  return value;
}

/** Faults of the options of types and fields, a sentence for each row. */
export async function damagedOptions(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.select<OptionsRow & { readonly type: string | null }>(
    `SELECT 'content_types' AS \`table\`, id, name, options, NULL AS type FROM content_types
      UNION ALL
     SELECT 'content_fields', f.id, f.name, f.options, t.name
       FROM content_fields f JOIN content_types t ON t.id = f.type_id`,
  );
  return rows.flatMap(({ type, ...row }) =>
    faultIn({ ...row, name: type === null ? row.name : `${type}.${row.name}` }),
  );
}

function faultIn(row: OptionsRow): string[] {
  try {
    readOptions(row);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function isOfType({ taxonomies, url_path: path, revisions }: Partial<Record<keyof TypeOptions, unknown>>): boolean {
  const hasTaxonomies = Array.isArray(taxonomies) && taxonomies.every((name) => typeof name === 'string');
  return hasTaxonomies && typeof path === 'string' && isJsonObject(revisions) && 'keep' in revisions;
}
