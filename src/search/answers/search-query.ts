import { invalidQuery, PAGE, readQuery, several, type PageQuery } from '../../common/http/url-query.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { STATUS } from '../../records/reading/browse-query.js';

/** The parameters of a search, read and checked. */
export interface SearchParameters extends PageQuery {
  readonly q: string;
  /** Names of types; `null`: all. */
  readonly types: readonly string[] | null;
  readonly statuses: readonly Status[];
}

const MAX_CHARACTERS = 256;
const MAX_TYPES = 100;
const PARAMETERS = { q: textOf, type: several(typesOf), status: STATUS, ...PAGE };

/** @throws {DomainError} `invalid_query`, naming the parameter */
export function searchParameters(query: URLSearchParams): SearchParameters {
  const { q, type: types, status: statuses, page, per_page: perPage } = readQuery(query, PARAMETERS);
  return { q, types, statuses, page, perPage };
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
