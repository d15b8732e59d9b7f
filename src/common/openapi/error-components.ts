import type { OpenAPIV3_1 } from 'openapi-types';
import { ERROR_STATUS, type ErrorName } from '../errors/catalogue.js';

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

const NAMES = Object.keys(ERROR_STATUS) as ErrorName[];

/** Messages of the service, word for word; the name of any other error says enough. */
const MESSAGES: Partial<Record<ErrorName, string>> = {
  malformed_json: 'The body is not valid JSON in UTF-8.',
  invalid_query: 'per_page must be a whole number from 1.',
  invalid_cursor: 'The cursor does not belong to this list. Start again without it.',
  unauthorized: 'A Bearer token is missing. Send it in the header "Authorization: Bearer <token>".',
  invalid_token: 'The token is not valid, has expired or was revoked.',
  invalid_code: 'The code is invalid or has expired.',
  invalid_link: 'The link is invalid, was used before or has expired. Ask for another one.',
  link_over:
    'This link was used before, was replaced by a newer one, or has expired. Ask for a new link on the sign-in page.',
  insufficient_user_authentication:
    'This needs a sign-in of the last 600 seconds. Confirm who you are with your password or a mailed code at POST /api/auth/step-up, or sign in again.',
  insufficient_scope: 'The token lacks the scope records:create.',
  not_found: 'There is nothing at this address.',
  record_not_found: 'Record not found: post/99999.',
  revision_not_found: 'The record has no revision 1767225600123.',
  type_not_found: 'There is no content type "recipe".',
  taxonomy_not_found: 'There is no taxonomy "colour".',
  term_not_found: 'Term not found: category/99999.',
  user_not_found: 'User not found: 42.',
  token_not_found: 'There is no working API token 42.',
  too_many_tokens: 'There are 100 working API tokens already. Revoke one first.',
  unsupported_media_type: 'Send the body as application/json in UTF-8.',
  slug_taken: 'Another post has the slug "hello-world". Choose another one.',
  ambiguous_revision: 'Several revisions lie in the second 1767225600: 1767225600123, 1767225600789.',
  email_taken: 'Another user has this e-mail address already.',
  type_exists: 'There is a content type "recipe" already.',
  type_not_empty: 'The content type recipe has 12 records, the trash included. Add ?confirm=recipe to delete them too.',
  type_in_use: 'The change concerns records: minutes (removed): 12 records. Add ?confirm=recipe if that is meant.',
  taxonomy_exists: 'There is a taxonomy "colour" already.',
  taxonomy_not_empty: 'The taxonomy colour has 12 terms. Add ?confirm=colour to delete them too.',
  taxonomy_in_use: 'Content types use category: post. Change them first.',
  term_exists: 'The category "news" already exists.',
  term_in_use: '12 records use "News". Add ?force=true to remove it from them.',
  version_conflict: 'The record has changed since you read it; it is at version 8 now.',
  validation_failed: 'title is required.',
  idempotency_key_reused:
    'This Idempotency-Key was sent with another request. Use a new key for each request, and the same key to repeat one.',
  too_many_requests: 'Too many requests. Try again in 12 s.',
  method_not_allowed: 'POST is not allowed here. Use GET or HEAD.',
  overloaded: 'The database does not answer in time. Try again in a moment.',
  outcome_unknown:
    'The database did not confirm the write: it may have been made or not. Read the record, or look for it in the list, before you send the request again.',
  storage_full: 'The database has no room left, so nothing was written.',
  search_unavailable: 'The search index is damaged. Try again later.',
  not_ready: 'The service is stopping.',
  internal_error: 'Something went wrong on our side.',
};

const HEADERS: ReadonlyMap<number, string> = new Map([
  [401, 'WWW-Authenticate'],
  [412, 'ETag'],
  [429, 'Retry-After'],
]);

const WITH_FAULTS: ReadonlySet<ErrorName> = new Set(['validation_failed', 'invalid_query']);

/** `record_not_found` -> `RecordNotFound` */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const PROPERTIES = {
  message: { type: 'string', description: 'One sentence that says what to do.' },
  details: {
    type: 'array',
    description: 'Facts that help to mend the request.',
    items: {
      type: 'object',
      additionalProperties: true,
      properties: { field: { type: 'string' }, rule: { type: 'string' }, message: { type: 'string' } },
    },
  },
  retry_after: { type: 'integer', minimum: 1, description: 'Seconds to wait, as in `Retry-After`.' },
  request_id: { type: 'string', description: 'The id that the log has for this request.' },
} as const satisfies Record<string, OpenAPIV3_1.SchemaObject>;

const FAULTS: OpenAPIV3_1.SchemaObject = { type: 'array', items: { $ref: '#/components/schemas/Fault' } };

function shapeOf(description: string, names: readonly ErrorName[]): OpenAPIV3_1.SchemaObject {
  const details = names.every((name) => WITH_FAULTS.has(name)) ? FAULTS : PROPERTIES.details;
  return {
    type: 'object',
    description,
    required: ['error', 'message'],
    additionalProperties: false,
    properties: { error: { type: 'string', enum: [...names] }, ...PROPERTIES, details },
  };
}

const errorSchemaName = (name: ErrorName): string => `${pascalCase(name)}Error`;

/** The schema of a refusal for one of these reasons; a program that has looked at `error` knows which one it has. */
function errorSchema([first, ...others]: readonly [ErrorName, ...ErrorName[]]): Schema {
  const refTo = (name: ErrorName) => ({ $ref: `#/components/schemas/${errorSchemaName(name)}` });
  return others.length === 0 ? refTo(first) : { anyOf: [first, ...others].map(refTo) };
}

export function errorSchemas(): Record<string, OpenAPIV3_1.SchemaObject> {
  return {
    Error: shapeOf('Every failure has this shape. Programs go by `error`, people by `message`.', NAMES),
    Fault: {
      type: 'object',
      description: 'One fault of a request.',
      required: ['field', 'rule', 'message'],
      additionalProperties: false,
      properties: {
        field: { type: 'string', description: 'Dotted path: `tags.3`.' },
        rule: { type: 'string', description: 'The rule that is broken.', examples: ['required'] },
        message: { type: 'string', examples: ['title is required.'] },
      },
    },
    ...Object.fromEntries(NAMES.map((name) => [errorSchemaName(name), shapeOf(sentence(name), [name])])),
  };
}

/** One response for each name of the catalogue, and one for whatever else may go wrong. */
export function errorResponses(): Record<string, OpenAPIV3_1.ResponseObject> {
  const named = NAMES.map((name) => [
    pascalCase(name),
    {
      description: sentence(name),
      headers: errorHeaders(ERROR_STATUS[name]),
      content: { 'application/json': { schema: errorSchema([name]), example: example(name) } },
    },
  ]);
  return {
    ...(Object.fromEntries(named) as Record<string, OpenAPIV3_1.ResponseObject>),
    Failure: {
      description:
        'Any other refusal or failure, for example `method_not_allowed`, `payload_too_large` or `overloaded`.',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: example('method_not_allowed') },
      },
    },
  };
}

export function oneOfErrors(status: number, names: readonly [ErrorName, ...ErrorName[]]): OpenAPIV3_1.ResponseObject {
  return {
    description: `One of ${names.map((name) => `\`${name}\``).join(', ')}.`,
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: errorSchema(names),
        examples: Object.fromEntries(
          names.map((name) => [name, { $ref: `#/components/examples/${pascalCase(name)}` }]),
        ),
      },
    },
  };
}

/** Names {@link oneOfErrors} as a component, after the names in it; `null` for any other response. */
export function nameOfErrors({ content = {} }: OpenAPIV3_1.ResponseObject): string | null {
  const { examples } = content['application/json'] ?? {};
  const name = examples && Object.keys(examples).map(pascalCase).join('Or');
  return name === undefined ? null : name + ('text/html' in content ? 'OrPage' : '');
}

export function errorExamples(): Record<string, OpenAPIV3_1.ExampleObject> {
  return Object.fromEntries(NAMES.map((name) => [pascalCase(name), { summary: sentence(name), value: example(name) }]));
}

function errorHeaders(status: number): Record<string, OpenAPIV3_1.ReferenceObject> {
  const name = HEADERS.get(status);
  return name === undefined ? {} : { [name]: { $ref: `#/components/headers/${name}` } };
}

/** `slug_taken` -> `Slug taken.` */
function sentence(name: ErrorName): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function example(name: ErrorName): object {
  const message = MESSAGES[name] ?? sentence(name);
  const fault =
    name === 'invalid_query'
      ? { field: 'per_page', rule: 'integer', message }
      : { field: 'title', rule: 'required', message };
  return {
    error: name,
    message,
    ...(WITH_FAULTS.has(name) ? { details: [fault] } : {}),
    ...(name === 'too_many_requests' ? { retry_after: 12 } : {}),
    request_id: '0d9f5c1e-6d52-4f5b-9c1b-7f3f1f6f6a10',
  };
}
