import { RequestMethod, type INestApplication, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';

/** The class that the body of a route is checked against, and the operation in the description of the API. */
export interface BodyClass {
  /** `POST /api/auth/login` */
  readonly operation: string;
  readonly body: Type<object>;
}

/** Nest's number of the decorator `@Body()` among those of parameters. */
const BODY = /^3:(\d+)$/;

/** Every route that takes a body of a class with rules, by the metadata that the framework itself reads. */
export function bodyClassesOf(app: INestApplication): BodyClass[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].flatMap(({ metatype }) => (metatype ? [metatype] : [])),
  );
  return controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((handler) => bodyOf(controller as Type<object>, handler)),
  );
}

function bodyOf(controller: Type<object>, handler: string): BodyClass[] {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, unknown>;
  const index = Object.keys(parameters).flatMap((key) => BODY.exec(key)?.[1] ?? [])[0];
  const own = prototype[handler];
  if (index === undefined || !own) return [];
  const types = Reflect.getMetadata('design:paramtypes', prototype, handler) as Type<object>[];
  const body = types[Number(index)];
  if (!body || (body as unknown) === Object) return [];
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, own) as number] ?? '';
  const [base, rest] = [controller, own].map((one) => [Reflect.getMetadata(PATH_METADATA, one) as string].flat()[0]);
  const path = `/${base}/${rest}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
  return [{ operation: `${method} ${path.replace(/:(\w+)/g, '{$1}')}`, body }];
}
