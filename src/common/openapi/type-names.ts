import { pascalCase } from './error-components.js';

export interface NamedType {
  readonly id: number;
  readonly name: string;
}

/** Names in the document of the schemas and operations of one content type. */
export interface TypeNames {
  readonly record: string;
  readonly create: string;
  readonly update: string;
  /** `{ data: … }` with one record. */
  readonly answer: string;
  /** `{ data: […], meta: … }` */
  readonly list: string;
  readonly restored: string;
  readonly rolledBack: string;
  /** A record with its working copy folded in, and the body that changes a working copy. */
  readonly draft: string;
  readonly draftChange: string;
  readonly operations: Readonly<Record<Operation, string>>;
}

type Operation =
  | ('list' | 'create' | 'get' | 'update' | 'patch' | 'delete' | 'restore' | 'listTrash' | 'export')
  | ('listRevisions' | 'getRevision' | 'diffRevisions' | 'rollBack')
  | ('getDraft' | 'updateDraft' | 'replaceDraft' | 'deleteDraft' | 'applyDraft' | 'publish' | 'unpublish');

function namesFor(base: string): TypeNames {
  return {
    record: base,
    create: `${base}Create`,
    update: `${base}Update`,
    answer: `${base}Answer`,
    list: `${base}List`,
    restored: `${base}Restored`,
    rolledBack: `${base}RolledBack`,
    draft: `${base}Draft`,
    draftChange: `${base}DraftChange`,
    operations: operationsFor(base),
  };
}

function operationsFor(base: string): TypeNames['operations'] {
  return {
    list: `list${base}`,
    create: `create${base}`,
    get: `get${base}`,
    update: `update${base}`,
    patch: `patch${base}`,
    delete: `delete${base}`,
    restore: `restore${base}`,
    listTrash: `listTrashOf${base}`,
    export: `export${base}`,
    listRevisions: `listRevisionsOf${base}`,
    getRevision: `getRevisionOf${base}`,
    diffRevisions: `diffRevisionsOf${base}`,
    rollBack: `rollBack${base}`,
    getDraft: `getDraftOf${base}`,
    updateDraft: `updateDraftOf${base}`,
    replaceDraft: `replaceDraftOf${base}`,
    deleteDraft: `deleteDraftOf${base}`,
    applyDraft: `applyDraftOf${base}`,
    publish: `publish${base}`,
    unpublish: `unpublish${base}`,
  };
}

/** Names that languages use themselves: a generated `Array` or `Record` would hide theirs. */
const LANGUAGE_NAMES = (
  'Any Array ArrayBuffer BigInt Blob Boolean Class Date Enum Exclude Extract File FormData Function Headers Integer ' +
  'Iterable List Map NonNullable Null Number Object Omit Optional Parameters Partial Pick Promise Readonly Record ' +
  'RegExp Request Required Response ReturnType Set String Symbol Undefined Unknown Void'
).split(' ');

function allOf({ operations, ...schemas }: TypeNames): string[] {
  return [...Object.values(schemas), ...Object.values(operations)].map(keyOf);
}

/** Generators write a file for each schema, and some file systems know no case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

/**
 * Names for content types, `blog-post` -> `BlogPost`. If one is taken, by the service or by an older type, they are those of
 * `BlogPostRecord`, `BlogPostRecord2` and so on.
 */
export function typeNames(types: readonly NamedType[], taken: Iterable<string>): ReadonlyMap<string, TypeNames> {
  const used = new Set([...LANGUAGE_NAMES, ...taken].map(keyOf));
  const found = new Map<string, TypeNames>();
  for (const { name } of types.toSorted((a, b) => a.id - b.id)) {
    const names = firstFree(pascalCase(name), used);
    for (const one of allOf(names)) used.add(one);
    found.set(name, names);
  }
  return found;
}

function firstFree(base: string, used: ReadonlySet<string>): TypeNames {
  for (let attempt = 0; ; attempt += 1) {
    const suffix = attempt === 0 ? '' : `Record${attempt === 1 ? '' : attempt}`;
    const names = namesFor(base + suffix);
    if (!allOf(names).some((name) => used.has(name))) return names;
  }
}
