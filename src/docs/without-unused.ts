import type { OpenAPIV3_1 } from 'openapi-types';
import type { Paths } from '../common/openapi/openapi.registry.js';

/** A whole OpenAPI document. */
export type ApiDocument = Omit<OpenAPIV3_1.Document, 'paths'> & { readonly paths: Paths };

const PREFIX = '#/components/';

type Components = Record<string, Record<string, unknown>>;

/** A document with only those components that something refers to; a list of all others would be noise. */
export function withoutUnused(document: ApiDocument): ApiDocument {
  const { securitySchemes = {}, ...components } = document.components ?? {};
  const used = reachable(document.paths, components);
  const kept = Object.entries(components as Components).map(([kind, members]) => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${PREFIX}${kind}/${name}`))),
  ]);
  return { ...document, components: { securitySchemes, ...(Object.fromEntries(kept) as Components) } };
}

/** All references that lead from a part of the document to components, directly or through others. */
function reachable(start: unknown, components: Components): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = [start];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string') open.push(value);
      else if (!found.has(value)) {
        found.add(value);
        open.push(resolve(value, components));
      }
    }
  }
  return found;
}

function resolve(reference: string, components: Components): unknown {
  const [kind = '', name = ''] = reference.slice(PREFIX.length).split('/');
  return components[kind]?.[name];
}
