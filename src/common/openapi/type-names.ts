import { pascalCase } from './error-components.js';

export interface NamedType {
  readonly id: number;
  readonly name: string;
}

/** Schemas of one content type beside that of its records: `answer` has one record in `{ data: … }`, `draft` a working copy. */
const SCHEMAS = ['create', 'update', 'answer', 'list', 'restored', 'rolledBack', 'draft', 'draftChange'] as const;
/** `create` -> `createPost` */
const ON_RECORDS = ['list', 'create', 'get', 'update', 'patch', 'delete', 'restore', 'export'] as const;
const ON_STATES = ['rollBack', 'publish', 'unpublish'] as const;
/** `getDraft` -> `getDraftOfPost` */
const ON_PARTS = [
  ...(['listTrash', 'listRevisions', 'getRevision', 'diffRevisions'] as const),
  ...(['getDraft', 'updateDraft', 'replaceDraft', 'deleteDraft', 'applyDraft'] as const),
] as const;
type Operation = (typeof ON_RECORDS | typeof ON_STATES | typeof ON_PARTS)[number];

/** Names in the document of the schemas and operations of one content type. */
export type TypeNames = Readonly<Record<'record' | (typeof SCHEMAS)[number], string>> & {
  readonly operations: Readonly<Record<Operation, string>>;
};

function namesFor(base: string): TypeNames {
  const schemas = SCHEMAS.map((part) => [part, `${base}${pascalCase(part)}`]);
  const operations = [
    ...[...ON_RECORDS, ...ON_STATES].map((name) => [name, `${name}${base}`]),
    ...ON_PARTS.map((name) => [name, `${name}Of${base}`]),
  ];
  // One entry for each name.
  return {
    ...(Object.fromEntries([['record', base], ...schemas]) as Omit<TypeNames, 'operations'>),
    operations: Object.fromEntries(operations) as TypeNames['operations'],
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
