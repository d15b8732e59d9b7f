import type { OpenAPIV3_1 } from 'openapi-types';
import { pascalCase } from '../common/openapi/error-components.js';
import { withOperations, withPaths, type OpenApiFragment } from '../common/openapi/openapi.registry.js';

type Schema = OpenAPIV3_1.SchemaObject;
type Reference = OpenAPIV3_1.ReferenceObject;
type Operation = OpenAPIV3_1.OperationObject;

const PREFIX = '#/components/schemas/';

/** Names the answers in JSON of a fragment: generators would make up names such as `ListUsers200Response`. */
export function withNamedAnswers(fragment: OpenApiFragment): OpenApiFragment {
  const schemas = { ...fragment.schemas };
  const { paths } = withPaths(fragment, (item) =>
    withOperations(item, (operation) => namedOperation(operation, schemas)),
  );
  return { ...fragment, paths, schemas };
}

function namedOperation(operation: Operation, schemas: Record<string, Schema>): Operation {
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const schema = jsonSchemaOf(response);
    if (schema === null || !status.startsWith('2')) return [status, response];
    const name = nameFor(schema, operation.operationId ?? '', schemas);
    schemas[name] = schema;
    const { content = {} } = response as OpenAPIV3_1.ResponseObject;
    return [status, { ...response, content: { ...content, 'application/json': { schema: { $ref: PREFIX + name } } } }];
  });
  return { ...operation, responses: Object.fromEntries(responses) as NonNullable<Operation['responses']> };
}

function jsonSchemaOf(response: Reference | OpenAPIV3_1.ResponseObject): Schema | null {
  const schema = '$ref' in response ? undefined : response.content?.['application/json']?.schema;
  return schema === undefined || '$ref' in schema ? null : schema;
}

/** After what is in it, `TermAnswer` or `UserList`; else, or where that is another one, after the operation. */
function nameFor(schema: Schema, operationId: string, schemas: Readonly<Record<string, Schema>>): string {
  const { data } = schema.properties ?? {};
  const name = named(data, 'Answer') ?? named(itemsOf(data), 'List') ?? named(itemsOf(schema), 'List');
  const isFree = name !== null && (!schemas[name] || JSON.stringify(schemas[name]) === JSON.stringify(schema));
  return isFree ? name : `${pascalCase(operationId)}Answer`;
}

function named(schema: Schema | Reference | undefined, suffix: string): string | null {
  return schema && '$ref' in schema ? `${schema.$ref.slice(PREFIX.length)}${suffix}` : null;
}

function itemsOf(schema: Schema | Reference | undefined): Schema | Reference | undefined {
  return schema && 'items' in schema ? schema.items : undefined;
}
