import type { INestApplication } from '@nestjs/common';
import { errorExamples, errorResponses, errorSchemas } from '../../src/common/openapi/error-components.js';
import {
  METHODS,
  OpenApiRegistry,
  type OpenApiFragment,
  type TypeFragment,
} from '../../src/common/openapi/openapi.registry.js';
import {
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas,
} from '../../src/common/openapi/shared-components.js';
import { typeNames } from '../../src/common/openapi/type-names.js';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { documented, mergedPaths } from '../../src/docs/document-text.js';
import { Endpoints } from '../../src/docs/endpoints.js';
import { withNamedAnswers } from '../../src/docs/named-answers.js';
import type { ApiDocument } from './contract.js';

type Members = Record<string, unknown>;

/** Paths and components of the document of a service, made in one go as objects: what its text is compared with. */
export async function wholeDocument(app: INestApplication): Promise<{ paths: Members; components: Members }> {
  const registry = app.get(OpenApiRegistry);
  const types = await app.get(ContentTypesService).all();
  const shared = { ...errorSchemas(), ...sharedSchemas(types.map(({ name }) => name)) };
  const fixed = [...(await registry.fixed()), await app.get(Endpoints).read()].map(withNamedAnswers);
  const describe = await registry.ofTypes(typeNames(types, [...Object.keys(shared), ...fixed.flatMap(namesOf)]));
  const fragments = [...types.flatMap(({ name }) => written(describe(name))), ...fixed];
  const { paths, responses } = mergedPaths(fragments);
  const all: Record<string, Members> = {
    schemas: documented(Object.assign({}, shared, ...fragments.map(({ schemas }) => schemas))),
    parameters: Object.assign({}, sharedParameters, ...fragments.map(({ parameters }) => parameters)),
    headers: sharedHeaders,
    responses: { ...sharedResponses, ...errorResponses(), ...responses },
    examples: errorExamples(),
  };
  const used = reachable(paths, all);
  const kept = Object.entries(all).map(([kind, members]) => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  return { paths, components: Object.fromEntries(kept) as Members };
}

/** Those of one type, with their long schemas before all others. */
function written(fragments: readonly TypeFragment[]): OpenApiFragment[] {
  const long = fragments.flatMap(({ longSchemas = [] }) => [...longSchemas]);
  return [{ paths: {}, schemas: Object.assign({}, ...long) }, ...fragments];
}

function namesOf({ schemas = {}, paths }: OpenApiFragment): string[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item?.[method] ?? []));
  return [...Object.keys(schemas), ...operations.flatMap(({ operationId }) => operationId ?? [])];
}

/** All references that lead from the paths to components, directly or through others. */
function reachable(start: ApiDocument['paths'], components: Readonly<Record<string, Members>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = referencesIn(start);
  for (const reference of open) {
    if (found.has(reference)) continue;
    found.add(reference);
    const [kind = '', name = ''] = reference.slice('#/components/'.length).split('/');
    open.push(...referencesIn(components[kind]?.[name]));
  }
  return found;
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}
