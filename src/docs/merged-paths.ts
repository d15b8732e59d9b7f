import type { OpenAPIV3_1 } from 'openapi-types';
import { failures } from '../common/openapi/describe.js';
import { nameOfErrors } from '../common/openapi/error-components.js';
import { withOperations, type OpenApiFragment, type PathItem, type Paths } from '../common/openapi/openapi.registry.js';

type Responses = Record<string, OpenAPIV3_1.ResponseObject>;

/** Answers that every operation has need not be named by each of them. */
const UNAUTHORIZED = failures('unauthorized', 'invalid_token');
const FAILURE = { $ref: '#/components/responses/Failure' };

/** The paths of all fragments, and the refusals that they share. Two fragments may share a path. */
export function mergedPaths(fragments: readonly OpenApiFragment[]): { paths: Paths; responses: Responses } {
  const paths: Record<string, PathItem> = {};
  const responses: Responses = {};
  for (const fragment of fragments) {
    for (const [path, item] of Object.entries(fragment.paths))
      paths[path] = { ...paths[path], ...(item && withOperations(item, (one) => withCommonFailures(one, responses))) };
  }
  return { paths, responses };
}

function withCommonFailures(operation: OpenAPIV3_1.OperationObject, shared: Responses): OpenAPIV3_1.OperationObject {
  const isPublic = operation.security?.length === 0;
  const all = { ...(isPublic ? {} : UNAUTHORIZED), ...operation.responses };
  const named = Object.entries(all).map(([status, response]) => [status, asComponent(response, shared)]);
  return {
    ...operation,
    responses: { ...(Object.fromEntries(named) as typeof all), '4XX': FAILURE, default: FAILURE },
  };
}

/** A refusal for several reasons becomes a component, since many operations have the same one. */
function asComponent(
  response: OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject,
  shared: Responses,
): OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject {
  const name = '$ref' in response ? null : nameOfErrors(response);
  if (name === null || '$ref' in response) return response;
  shared[name] = response;
  return { $ref: `#/components/responses/${name}` };
}
