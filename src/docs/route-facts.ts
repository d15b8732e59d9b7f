import { RequestMethod, type PipeTransform, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { THROTTLER_LIMIT } from '@nestjs/throttler/dist/throttler.constants.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { FRESH_SIGN_IN, PUBLIC, REQUIRED_SCOPES } from '../common/access/access.decorators.js';
import { IdPipe } from '../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { currentQuery } from '../common/http/url-query.js';
import { parameterRef } from '../common/openapi/describe.js';
import { ENDPOINT_GROUP, type GroupName, type PathPipe } from '../common/openapi/endpoint.js';
import { BODY, type BodyDescription } from '../common/openapi/body.js';
import { METHODS } from '../common/openapi/openapi.registry.js';
import { BODY_REQUIRED } from '../common/validation.pipe.js';

interface Argument {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly (Type<PipeTransform> | PipeTransform)[];
  /** The factory of a decorator of our own. */
  readonly factory?: unknown;
}

type Parameter = OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject;

/** Facts of a route that its decorators state, wherever they stand. */
export class RouteFacts {
  private readonly handler: object;
  private readonly arguments: readonly (readonly [kind: string, Argument])[];

  constructor(
    private readonly controller: Type,
    private readonly name: string,
  ) {
    this.handler = (controller.prototype as Readonly<Record<string, object>>)[name] ?? {};
    const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>;
    this.arguments = Object.entries(noted);
  }

  own(key: string): unknown {
    return Reflect.getMetadata(key, this.handler);
  }

  /** In the form of OpenAPI: `/api/users/{id}` */
  get paths(): string[] {
    const bases = [Reflect.getMetadata(PATH_METADATA, this.controller) as string | string[]].flat();
    const ends = [this.own(PATH_METADATA) as string | string[]].flat();
    return bases.flatMap((base) => ends.map((end) => asPath(`/${base}/${end}`)));
  }

  get method(): (typeof METHODS)[number] {
    const name = RequestMethod[this.own(METHOD_METADATA) as RequestMethod].toLowerCase();
    return METHODS.find((method) => method === name) ?? 'get';
  }

  /** @throws {Error} the controller names none */
  get group(): GroupName {
    const name = Reflect.getMetadata(ENDPOINT_GROUP, this.controller) as GroupName | undefined;
    if (name === undefined) throw new Error(`${this.controller.name} needs an @EndpointGroup.`);
    return name;
  }

  get isPublic(): boolean {
    return this.either(PUBLIC) === true;
  }

  /** One of them is enough. */
  get scopes(): readonly string[] {
    return (this.either(REQUIRED_SCOPES) ?? []) as readonly string[];
  }

  get isFreshSignInAsked(): boolean {
    return this.either(FRESH_SIGN_IN) !== undefined;
  }

  get readsQuery(): boolean {
    const guards = [this.controller, this.handler].flatMap(
      (place) => (Reflect.getMetadata(GUARDS_METADATA, place) ?? []) as readonly unknown[],
    );
    return guards.includes(NoQueryGuard) || this.arguments.some(([, { factory }]) => factory === currentQuery);
  }

  get budgets(): readonly string[] {
    const keys = [this.controller, this.handler].flatMap((place) => Reflect.getMetadataKeys(place) as unknown[]);
    return keys
      .map(String)
      .flatMap((key) => (key.startsWith(THROTTLER_LIMIT) ? key.slice(THROTTLER_LIMIT.length) : []));
  }

  get parameters(): Parameter[] {
    return this.argumentsOf(RouteParamtypes.PARAM).flatMap(({ data, pipes }) =>
      pipes.flatMap((pipe) => {
        if (pipe instanceof IdPipe) return idParameter(String(data));
        return 'parameter' in pipe ? [(pipe as PathPipe).parameter] : [];
      }),
    );
  }

  get body(): BodyDescription | undefined {
    const types = Reflect.getMetadata('design:paramtypes', this.controller.prototype as object, this.name) as Type[];
    const [dto] = this.argumentsOf(RouteParamtypes.BODY).flatMap(({ index }) => types[index] ?? []);
    const described = dto && (Reflect.getMetadata(BODY, dto) as BodyDescription | undefined);
    return described && { ...described, isRequired: described.isRequired || Reflect.hasMetadata(BODY_REQUIRED, dto) };
  }

  private either(key: string): unknown {
    return this.own(key) ?? Reflect.getMetadata(key, this.controller);
  }

  private argumentsOf(kind: RouteParamtypes): Argument[] {
    return this.arguments.flatMap(([key, argument]) => (key.startsWith(`${kind}:`) ? argument : []));
  }
}

/** `//api/users/:id` -> `/api/users/{id}` */
function asPath(joined: string): string {
  return joined
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1')
    .replace(/[:*](\w+)/g, '{$1}');
}

function idParameter(name: string): Parameter {
  if (name === 'id') return parameterRef('Id');
  return { name, in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
}
