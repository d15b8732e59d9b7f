import type { Express } from 'express';
import { takesHead } from './no-head.guard.js';

type Segment = string | RegExp;

interface Route {
  readonly segments: readonly Segment[];
  readonly literals: number;
  /** True if there may be more segments: `*rest` at its end stands for one or more. */
  readonly isOpen: boolean;
  readonly methods: readonly string[];
}

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
}

/** Knows which methods a path takes, so that a wrong one differs from a wrong path. */
export class RouteTable {
  private routes: readonly Route[] | undefined;

  constructor(private readonly app: Express) {}

  /** Methods of the most literal route that a path fits: `/api/cms/types` is itself before it is a `:type`. */
  methodsOf(path: string): string[] {
    const segments = segmentsOf(path);
    const fitting = this.all().filter((route) => fits(route, segments));
    const most = Math.max(...fitting.map(({ literals }) => literals));
    const methods = fitting.filter(({ literals }) => literals === most).flatMap((route) => route.methods);
    return [...new Set(methods.includes('GET') && takesHead(path) ? [...methods, 'HEAD'] : methods)].sort();
  }

  private all(): readonly Route[] {
    this.routes ??= (this.app.router as unknown as { stack: Layer[] }).stack.flatMap(({ route }) =>
      route && typeof route.path === 'string' ? [asRoute(route.path, route.methods)] : [],
    );
    return this.routes;
  }
}

function asRoute(path: string, methods: Readonly<Record<string, boolean>>): Route {
  const segments = segmentsOf(path);
  return {
    segments: segments.map(asSegment),
    literals: segments.filter((segment) => !/^[:*]/.test(segment)).length,
    isOpen: segments.at(-1)?.startsWith('*') === true,
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  };
}

/** `sitemap-:part.xml` -> `/^sitemap-.+\.xml$/` */
function asSegment(segment: string): Segment {
  if (segment.startsWith('*')) return /./;
  if (!segment.includes(':')) return segment;
  const literals = segment.split(/:\w+/).map((text) => text.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${literals.join('.+')}$`);
}

/** As the router of Express compares them: with or without a slash at the end. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

function fits({ segments, isOpen }: Route, path: readonly string[]): boolean {
  return (
    (segments.length === path.length || (isOpen && path.length > segments.length)) &&
    segments.every((segment, index) =>
      typeof segment === 'string' ? segment === path[index] : segment.test(path[index] ?? ''),
    )
  );
}
