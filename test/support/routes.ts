import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';

export interface Route {
  readonly path: string;
  readonly method: string;
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Every route of the running service, as its router knows it: a test that walks them meets new ones by itself. */
export function routesOf(app: INestApplication): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as Express;
  return (router as unknown as { stack: Layer[] }).stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => ({ path: route.path, method: method.toUpperCase() })) : [],
  );
}
