import { pascalCase } from '../../common/openapi/error-components.js';

/** The names that one content type has in the document: of its schemas and of its operations. */
export interface ApiNames {
  /** A whole record. */
  readonly record: string;
  /** Those parts of a record that `fields` asks for. */
  readonly part: string;
  readonly create: string;
  readonly update: string;
  readonly operations: Readonly<Record<Operation, string>>;
}

type Operation = 'list' | 'create' | 'get' | 'update' | 'patch' | 'delete' | 'restore' | 'listTrash';

function namesFor(base: string): ApiNames {
  return {
    record: base,
    part: `${base}Part`,
    create: `${base}Create`,
    update: `${base}Update`,
    operations: {
      list: `list${base}`,
      create: `create${base}`,
      get: `get${base}`,
      update: `update${base}`,
      patch: `patch${base}`,
      delete: `delete${base}`,
      restore: `restore${base}`,
      listTrash: `listTrashOf${base}`,
    },
  };
}

function allOf({ operations, ...schemas }: ApiNames): string[] {
  return [...Object.values(schemas), ...Object.values(operations)];
}

/**
 * Names for content types, `blog-post` -> `BlogPost`. Where one is taken, by another feature or by an older type
 * (`a-b` and `a_b`), it is `BlogPostRecord`, `BlogPostRecord2` and so on.
 */
export function apiNames(
  types: readonly { readonly id: number; readonly name: string }[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, ApiNames> {
  const used = new Set(taken);
  const found = new Map<string, ApiNames>();
  for (const { name } of types.toSorted((a, b) => a.id - b.id)) {
    const names = firstFree(pascalCase(name), used);
    for (const one of allOf(names)) used.add(one);
    found.set(name, names);
  }
  return found;
}

function firstFree(base: string, used: ReadonlySet<string>): ApiNames {
  for (let attempt = 0; ; attempt += 1) {
    const suffix = attempt === 0 ? '' : `Record${attempt === 1 ? '' : attempt}`;
    const names = namesFor(base + suffix);
    if (!allOf(names).some((name) => used.has(name))) return names;
  }
}
