import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { OpenAPIV3_1 } from 'openapi-types';
import { ownTurn } from '../common/concurrency/own-turn.js';
import { ERROR_STATUS, type ErrorName } from '../common/errors/catalogue.js';
import {
  emptyAnswer,
  failures,
  failuresOrPage,
  jsonBody,
  jsonOrFormBody,
  LIMIT_HEADERS,
  NOT_MODIFIED,
  parameterRef,
} from '../common/openapi/describe.js';
import {
  ENDPOINT,
  GROUPS,
  schemasIn,
  type DescribePath,
  type EndpointDescription,
  type GroupName,
  type NamedEndpoint,
} from '../common/openapi/endpoint.js';
import type { Method, OpenApiFragment, PathItem } from '../common/openapi/openapi.registry.js';
import { RouteFacts } from './route-facts.js';

type Operation = OpenAPIV3_1.OperationObject;

interface DescribedRoute {
  /** `/api/users/{id}` */
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly group: GroupName;
}

/** The routes of all controllers, as their decorators describe them. It is read when the document is made. */
@Injectable()
export class Endpoints {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Each controller in a turn of the event loop of its own. */
  async read(): Promise<OpenApiFragment> {
    const all: DescribedRoute[] = [];
    // Features that others build on come first.
    const controllers = this.discovery
      .getControllers()
      .toSorted((a, b) => (b.host?.distance ?? 0) - (a.host?.distance ?? 0));
    for (const { metatype } of controllers) {
      await ownTurn();
      if (metatype) all.push(...describedRoutes(metatype as Type));
    }
    await ownTurn();
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

/** All that the decorators of a controller say of its routes. What has no `@Endpoint` is described elsewhere, or not at all. */
function describedRoutes(controller: Type): DescribedRoute[] {
  return new MetadataScanner().getAllMethodNames(controller.prototype as object).flatMap((name) => {
    const facts = new RouteFacts(controller, name);
    const describe = facts.own(ENDPOINT) as DescribePath | undefined;
    if (!describe) return [];
    const { method, group } = facts;
    return facts.paths.map((path) => ({ path, method, group, operation: operationOf(facts, describe(path)) }));
  });
}

function operationOf(facts: RouteFacts, described: NamedEndpoint): Operation {
  const { id: operationId, summary, description, security = facts.isPublic ? [] : undefined } = described;
  return present({
    tags: [facts.group],
    operationId,
    summary,
    description: describedWithScopes(description, facts.scopes),
    security,
    parameters: parametersOf(facts, described),
    requestBody: described.body ?? bodyOf(facts, described),
    responses: responsesOf(facts, described),
  });
}

/** Without what is not said. */
function present(operation: { readonly [Part in keyof Operation]: Operation[Part] | undefined }): Operation {
  return Object.fromEntries(Object.entries(operation).filter(([, part]) => Boolean(part)));
}

/** Names the scopes, one of which is enough, unless the description says more about them. */
function describedWithScopes(description = '', scopes: readonly string[]): string | undefined {
  const names = scopes.map((scope) => `\`${scope}\``);
  const isSaid = names.length === 0 || names.some((name) => description.includes(`Needs ${name}`));
  const whole = isSaid ? description : `${description} Needs ${names.join(' or ')}.`.trim();
  return whole === '' ? undefined : whole;
}

function parametersOf(facts: RouteFacts, described: EndpointDescription): Operation['parameters'] {
  const all = [...facts.parameters, ...(described.parameters ?? [])];
  if (isTagged(facts, described)) all.push(parameterRef('IfNoneMatch'));
  return all.length > 0 ? all : undefined;
}

/** Tells whether a client can ask for something anew if it has changed. */
function isTagged({ method }: RouteFacts, { answers: { 200: response } }: EndpointDescription): boolean {
  return method === 'get' && response !== undefined && 'headers' in response && response.headers?.ETag !== undefined;
}

function bodyOf({ body }: RouteFacts, { forBrowsers }: EndpointDescription): Operation['requestBody'] {
  if (!body) return undefined;
  const { schema, example, isRequired: required } = body;
  return { ...(forBrowsers === true ? jsonOrFormBody : jsonBody)(schema, example), required };
}

function responsesOf(facts: RouteFacts, described: EndpointDescription): OpenAPIV3_1.ResponsesObject {
  const { answers, forBrowsers } = described;
  return {
    ...(facts.budgets.includes('users') ? withLimit(answers) : answers),
    ...(isTagged(facts, described) ? NOT_MODIFIED : {}),
    ...(forBrowsers === true ? failuresOrPage : failures)(...failuresOf(facts, described)),
  };
}

/** Answers to callers who have requests left. */
function withLimit(answers: OpenAPIV3_1.ResponsesObject): OpenAPIV3_1.ResponsesObject {
  const limited = Object.entries(answers).map(([status, response]) => {
    const { headers } = emptyAnswer('', ...LIMIT_HEADERS);
    return [status, '$ref' in response ? response : { ...response, headers: { ...response.headers, ...headers } }];
  });
  return Object.fromEntries(limited) as OpenAPIV3_1.ResponsesObject;
}

/** In the order of the catalogue: what refuses for the same reasons refers to the same component. */
function failuresOf(facts: RouteFacts, { fails = [], security }: EndpointDescription): ErrorName[] {
  const implied: Partial<Record<ErrorName, boolean>> = {
    invalid_query: facts.readsQuery,
    unauthorized: !facts.isPublic && security === undefined,
    invalid_token: !facts.isPublic && security === undefined,
    insufficient_user_authentication: facts.isFreshSignInAsked,
    insufficient_scope: facts.scopes.length > 0,
    validation_failed: facts.body !== undefined,
    too_many_requests: facts.budgets.length > 0,
  };
  const names = Object.keys(ERROR_STATUS) as ErrorName[];
  return names.filter((name) => implied[name] === true || fails.includes(name));
}
