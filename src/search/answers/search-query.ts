import type { OpenAPIV3_1 } from 'openapi-types';
import { parameterRef, query as parameter } from '../../common/openapi/describe.js';
import { CONTENT_TYPE_NAME } from '../../common/openapi/shared-components.js';
import { invalidQuery, PAGE, readQuery, several, type PageQuery, severalOf } from '../../common/http/url-query.js';
import { STATUSES, type Status } from '../../content-types/definition/content-type.js';
import { COUNT, STATUS } from '../../records/reading/browse-query.js';

/** The parameters of a search, read and checked. */
export interface SearchParameters extends PageQuery {
  readonly q: string;
  /** Names of types; `null`: all. */
  readonly types: readonly string[] | null;
  readonly statuses: readonly Status[];
  /** True if all hits are counted: otherwise only the first ones are there. */
  readonly isCounted: boolean;
  readonly facets: readonly Facet[];
}

/** Properties that hits are counted by. */
const FACETS = ['type', 'status'] as const;
export type Facet = (typeof FACETS)[number];

const MAX_CHARACTERS = 256;
const MAX_TYPES = 100;
const PARAMETERS = {
  ...{ q: textOf, type: several(typesOf), status: STATUS, ...PAGE },
  ...{ count: COUNT, facets: severalOf(FACETS, 'facet', []) },
};

/** {@link PARAMETERS} in the description of the API. */
export const SEARCH_PARAMETERS: readonly (OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject)[] = [
  {
    ...parameter('q', 'What to search for.', { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS }),
    required: true,
    example: 'saturn "rings back" -moon',
  },
  parameter('type', 'Only records of these content types.', {
    type: 'array',
    items: CONTENT_TYPE_NAME,
  }),
  parameter('status', 'Only records of these statuses.', {
    type: 'array',
    items: { type: 'string', enum: [...STATUSES] },
  }),
  parameter(
    'count',
    '`none` leaves out `total` and `last_page`, for a list that changes while people type. If very many records have all words in the title, the newest of them may come first, not the best ones. Takes neither `page` nor `facets`.',
    { type: 'string', enum: ['exact', 'none'], default: 'exact' },
  ),
  parameter(
    'facets',
    'Also counts the hits by these: `type` counts them as if `type` were not sent, `status` likewise.',
    { type: 'array', items: { type: 'string', enum: [...FACETS] } },
  ),
  parameterRef('Page'),
  parameterRef('PerPage'),
];

/** @throws {DomainError} `invalid_query`, naming the parameter */
export function searchParameters(query: URLSearchParams): SearchParameters {
  const { type: types, status: statuses, per_page: perPage, count: isCounted, ...rest } = readQuery(query, PARAMETERS);
  if (!isCounted && (rest.page > 1 || rest.facets.length > 0)) {
    throw invalidQuery('count', 'exclusive', 'count=none answers the first hits only: leave out page and facets.');
  }
  return { types, statuses, perPage, isCounted, ...rest };
}

function textOf(text: string | null): string {
  if (text === null || text.trim() === '') throw invalidQuery('q', 'required', 'Say what to search for: q=telescope.');
  if (Array.from(text).length > MAX_CHARACTERS) {
    throw invalidQuery('q', 'max_length', `q must have at most ${MAX_CHARACTERS} characters.`);
  }
  return text.toWellFormed();
}

function typesOf(asked: readonly string[] | null): readonly string[] | null {
  if (asked === null) return null;
  const names = [...new Set(asked)];
  if (names.length > MAX_TYPES) throw invalidQuery('type', 'max', `Name at most ${MAX_TYPES} types.`);
  return names;
}
