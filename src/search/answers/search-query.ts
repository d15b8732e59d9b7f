import { entriesOf, invalidQuery, requireKnown } from '../../common/http/url-query.js';
import { pageQuery } from '../../common/page-query.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { statusesOf } from '../../records/reading/browse-query.js';

/** The parameters of a search, read and checked. */
export interface SearchParameters {
  readonly q: string;
  /** Names of types; `null`: all. */
  readonly types: readonly string[] | null;
  readonly statuses: readonly Status[];
  readonly page: number;
  readonly perPage: number;
}

const PARAMETERS = new Set(['q', 'type', 'status', 'page', 'per_page']);
const SEVERAL = new Set(['type', 'status']);
const MAX_CHARACTERS = 256;
const MAX_TYPES = 100;

/** @throws {DomainError} `invalid_query`, naming the parameter */
export function searchParameters(query: URLSearchParams): SearchParameters {
  requireKnown(query, PARAMETERS, SEVERAL);
  return {
    q: textOf(query.get('q')),
    types: typesOf(entriesOf(query, 'type')),
    statuses: statusesOf(query),
    ...pageQuery(query),
  };
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
