import { invalidQuery, PAGE, readQuery, several, type PageQuery } from '../../common/http/url-query.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { COUNT, STATUS } from '../../records/reading/browse-query.js';

/** The parameters of a search, read and checked. */
export interface SearchParameters extends PageQuery {
  readonly q: string;
  /** Names of types; `null`: all. */
  readonly types: readonly string[] | null;
  readonly statuses: readonly Status[];
  /** Whether all hits are counted: without that, only the first ones are there. */
  readonly isCounted: boolean;
  readonly facets: readonly Facet[];
}

/** What hits are counted by. */
export const FACETS = ['type', 'status'] as const;
export type Facet = (typeof FACETS)[number];

const MAX_CHARACTERS = 256;
const MAX_TYPES = 100;
const PARAMETERS = {
  ...{ q: textOf, type: several(typesOf), status: STATUS, ...PAGE },
  ...{ count: COUNT, facets: several(facetsOf) },
};

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

function facetsOf(asked: readonly string[] | null): readonly Facet[] {
  if (asked === null) return [];
  const unknown = asked.find((name) => !(FACETS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw invalidQuery('facets', 'enum', `Unknown facet: ${unknown}. Use ${FACETS.join(', ')}.`);
  }
  return FACETS.filter((name) => asked.includes(name));
}
