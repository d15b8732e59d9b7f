import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { GROUPS, schemasIn } from '../common/openapi/endpoint.js';
import type { OpenApiFragment, PathItem } from '../common/openapi/openapi.registry.js';
import { describedRoutes, type DescribedRoute } from './described-routes.js';

/** The routes of all controllers, as their decorators describe them. It is read when the document is made. */
@Injectable()
export class Endpoints {
  constructor(private readonly discovery: DiscoveryService) {}

  read(): OpenApiFragment {
    const all = this.discovery
      .getControllers()
      // Features that others build on come first.
      .toSorted((a, b) => (b.host?.distance ?? 0) - (a.host?.distance ?? 0))
      .flatMap(({ metatype }) => (metatype ? describedRoutes(metatype as Type) : []));
    const groups = Object.entries(GROUPS).flatMap(([name, description]) => {
      const routes = all.filter(({ group }) => group === name);
      return routes.length > 0 ? [{ tag: { name, description }, routes }] : [];
    });
    const routes = groups.flatMap((group) => group.routes);
    return { tags: groups.map(({ tag }) => tag), paths: pathsOf(routes), schemas: schemasIn(routes) };
  }
}

/** Two controllers may share a path. */
function pathsOf(routes: readonly DescribedRoute[]): OpenApiFragment['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const { path, method, operation } of routes) paths[path] = { ...paths[path], [method]: operation };
  return paths;
}
