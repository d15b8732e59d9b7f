import { SERVICE } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { TypeManagement } from '../../content-types/changes/type-management.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { Invocation } from '../invocation.js';

/** What became of one definition. */
export interface Applied {
  readonly name: string;
  readonly result: 'created' | 'changed' | 'unchanged';
}

interface Services {
  readonly types: ContentTypesService;
  readonly management: TypeManagement;
}

/**
 * Makes or changes types until they are what the definitions say; one that is so already is left alone.
 * New types come first and without their relations, which may point to each other.
 *
 * @param confirm name of the type that may lose values
 * @throws {DomainError} of the first definition that cannot be applied, with its name
 */
export async function applyTypes(
  invocation: Invocation,
  definitions: readonly unknown[],
  confirm: string | null,
): Promise<Applied[]> {
  const services = {
    types: await invocation.get(ContentTypesService),
    management: await invocation.get(TypeManagement),
  };
  const created = new Set<string>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    if (await services.types.find(name)) continue;
    await naming(name, services.management.create(withoutRelations(definition), SERVICE));
    created.add(name);
  }
  const applied: Applied[] = [];
  for (const definition of definitions) {
    const name = nameOf(definition);
    const isChanged = await naming(name, change(services, definition, confirm));
    applied.push({ name, result: created.has(name) ? 'created' : isChanged ? 'changed' : 'unchanged' });
  }
  return applied;
}

async function change({ types, management }: Services, definition: unknown, confirm: string | null): Promise<boolean> {
  const before = await types.require(nameOf(definition));
  const after = await management.change(before, definition, { confirm, caller: SERVICE });
  return after.version !== before.version;
}

/** What stands in place of a name is for the rules of types to refuse. */
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
