import type { Request } from 'express';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** True if a method is one of a closed set, as those are that the service answers. */
export function isKnownMethod(method: string): boolean {
  return METHODS.has(method);
}

/** `/api/cms/:type/:id`, whatever the address was; `undefined` where no route fits. */
export function routeOf({ route }: Pick<Request, 'route'>): string | undefined {
  // What Express notes of the route that fits; none until there is one.
  const { path } = (route ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? path : undefined;
}
