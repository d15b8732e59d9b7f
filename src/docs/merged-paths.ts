import type { OpenAPIV3_1 } from 'openapi-types';
import { failures } from '../common/openapi/describe.js';
import { METHODS, type OpenApiFragment, type PathItem, type Paths } from '../common/openapi/openapi.registry.js';

/** The paths of all fragments. Two features may share a path and have different methods of it. */
export function mergedPaths(fragments: readonly OpenApiFragment[]): Paths {
  const paths: Record<string, PathItem> = {};
  for (const fragment of fragments) {
    for (const [path, item] of Object.entries(fragment.paths))
      paths[path] = { ...paths[path], ...(item && completed(item)) };
  }
  return paths;
}

function completed(item: PathItem): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [[method, withCommonFailures(operation)] as const] : [];
  });
  return { ...item, ...Object.fromEntries(operations) };
}

/** What every operation can answer need not be said by each of them. */
function withCommonFailures(operation: OpenAPIV3_1.OperationObject): OpenAPIV3_1.OperationObject {
  const isPublic = operation.security?.length === 0;
  return {
    ...operation,
    responses: {
      ...(isPublic ? {} : failures('unauthorized', 'invalid_token')),
      '4XX': { $ref: '#/components/responses/ClientError' },
      '5XX': { $ref: '#/components/responses/ServerError' },
      ...operation.responses,
    },
  };
}
