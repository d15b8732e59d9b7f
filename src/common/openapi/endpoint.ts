import { applyDecorators, HttpCode, SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { ErrorName } from '../errors/catalogue.js';
import type { JsonSchema } from '../schema/json-schema.js';

/** The part of a route's description that its other decorators do not say. */
export interface EndpointDescription {
  /** The scope that `@RequireScope` names is added, unless it says more about that scope. */
  readonly description?: string;
  /** Good answers by status. `If-None-Match` and 304 follow from the `ETag` of a GET, and headers of a limit from the limit. */
  readonly answers: OpenAPIV3_1.ResponsesObject;
  /** Refusals that no other decorator implies. */
  readonly fails?: readonly ErrorName[];
  /** All but the parts of its path that a pipe describes. */
  readonly parameters?: readonly (OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject)[];
  /** A body that has no DTO. */
  readonly body?: OpenAPIV3_1.RequestBodyObject;
  /** Security of a route that is neither public nor always asks for a credential. */
  readonly security?: OpenAPIV3_1.SecurityRequirementObject[];
  /** True if browsers are here: they may send a form, and get refusals as pages. */
  readonly forBrowsers?: boolean;
}

export interface NamedEndpoint extends EndpointDescription {
  readonly id: string;
  readonly summary: string;
}

/** Describes each path of a handler: `/api/auth/google/token`. */
export type DescribePath = (path: string) => NamedEndpoint;

export const ENDPOINT = 'openapi:endpoint';

/** Describes a handler that has several paths. */
export const EndpointOfPaths = (describe: DescribePath): CustomDecorator => SetMetadata(ENDPOINT, describe);

/**
 * Describes a route in the document of the API, which answers with the one good status of the description. Its path, verb,
 * access, limit and body are read from its other decorators.
 *
 * @param id what generated clients call it: `listUsers`
 */
export const Endpoint = (id: string, summary: string, description: EndpointDescription): MethodDecorator => {
  const good = Object.keys(description.answers).filter((status) => status.startsWith('2'));
  const status = good.length === 1 ? [HttpCode(Number(good[0]))] : [];
  return applyDecorators(
    EndpointOfPaths(() => ({ id, summary, ...description })),
    ...status,
  );
};

/** The groups of routes, in the order in which newcomers need them. */
export const GROUPS = {
  Search: 'Records by what they say.',
  'Content types': 'Which kinds of records there are, and of what fields they consist.',
  Taxonomy: 'Categories, tags and further ways to order records.',
  'Sign-in': 'Proving who one is, and staying signed in.',
  'API tokens': 'Credentials for programs. At most 60 requests a minute for each caller.',
  Users: 'People with an account. At most 60 requests a minute for each caller.',
  Audit: 'What happened to accounts and credentials. It is only ever added to.',
  Documentation: 'What you are reading.',
  Health: 'For load balancers and orchestrators.',
  Sitemap: 'For search engines.',
  'Token keys': 'The keys to check access tokens elsewhere.',
} as const;

export type GroupName = keyof typeof GROUPS;

export const ENDPOINT_GROUP = 'openapi:group';

export const EndpointGroup = (name: GroupName): CustomDecorator => SetMetadata(ENDPOINT_GROUP, name);

export interface PathPipe {
  readonly parameter: OpenAPIV3_1.ParameterObject;
}

const SCHEMA = Symbol('schema');

/** A reference that knows what it refers to. */
export type NamedSchema = Readonly<Record<'$ref', string> & Record<typeof SCHEMA, OpenAPIV3_1.SchemaObject>>;

/** A schema under a name that no other one has. Whatever has it in its description brings it into the document. */
export function named(name: string, schema: OpenAPIV3_1.SchemaObject | JsonSchema): NamedSchema {
  // JSON Schemas are what OpenAPI 3.1 takes.
  return { $ref: `#/components/schemas/${name}`, [SCHEMA]: schema };
}

/** The named schemas of a description and of these schemas, by name. @throws {Error} two of them have one name */
export function schemasIn(
  node: unknown,
  found: Record<string, OpenAPIV3_1.SchemaObject> = {},
): Readonly<Record<string, OpenAPIV3_1.SchemaObject>> {
  if (typeof node !== 'object' || node === null) return found;
  if (!(SCHEMA in node)) {
    for (const part of Object.values(node)) schemasIn(part, found);
    return found;
  }
  const { $ref, [SCHEMA]: schema } = node as NamedSchema;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  if (found[name] === schema) return found;
  if (found[name]) throw new Error(`Two schemas of the API description are called ${name}.`);
  found[name] = schema;
  return schemasIn(schema, found);
}
