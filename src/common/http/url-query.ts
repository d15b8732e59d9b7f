import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { nearestName } from '../text/nearest-word.js';

/** The query of a request, as it was sent: names in order, nothing parsed, nothing lost. */
export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** By this function the description of the API knows that a handler reads its query. */
export function currentQuery(_: unknown, context: ExecutionContext): URLSearchParams {
  return queryOf(context.switchToHttp().getRequest<Request>());
}

export const UrlQuery = createParamDecorator(currentQuery);

/** Reader of a parameter that takes one value. Its text is `null` where it is not sent; throws `invalid_query`. */
type One<Value> = (text: string | null, name: string) => Value;

interface Several<Value> {
  readonly ofEntries: (entries: readonly string[] | null, name: string) => Value;
}

/** The parameters of a route by their names, in the order in which messages name them and faults are looked for. */
type Parameters = Readonly<Record<string, One<unknown> | Several<unknown>>>;

type ValueOf<Parameter> = Parameter extends One<infer Value> | Several<infer Value> ? Value : never;

interface Family {
  readonly pattern: RegExp;
  readonly shown: string;
}

export interface PageQuery {
  /** From 1. */
  readonly page: number;
  /** From 1, up to the limit of the list. */
  readonly perPage: number;
}

/**
 * The values of all parameters of a route. @param family parameters that may be sent beside them, and are not read here
 * @throws {DomainError} `invalid_query`: a parameter is unknown, sent twice though it takes one value, or means nothing
 */
export function readQuery<Known extends Parameters>(
  query: URLSearchParams,
  parameters: Known,
  family?: Family,
): { readonly [Name in keyof Known]: ValueOf<Known[Name]> } {
  requireKnown(query, Object.keys(parameters), parameters, family);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] =
      typeof parameter === 'function'
        ? parameter(query.get(name), name)
        : parameter.ofEntries(entriesOf(query, name), name);
  }
  // Each value is what the reader of its name has returned.
  return values as { readonly [Name in keyof Known]: ValueOf<Known[Name]> };
}

/** The page of a query without other parameters. @throws {DomainError} `invalid_query` */
export function readPage(query: URLSearchParams, parameters = PAGE): PageQuery {
  const { page, per_page: perPage } = readQuery(query, parameters);
  return { page, perPage };
}

/** `page` and `per_page`. A `per_page` above the maximum is clamped, since the client can see that in `meta`. */
export function pageParameters({ usual, most }: Readonly<Record<'usual' | 'most', number>>): {
  readonly page: One<number>;
  readonly per_page: One<number>;
} {
  return {
    page: (text, name) => wholeNumber(text, name) ?? 1,
    per_page: (text, name) => Math.min(wholeNumber(text, name) ?? usual, most),
  };
}

export const PAGE = pageParameters({ usual: 15, most: 100 });

/** Reads a parameter whose text is its value. */
export function asSent(text: string | null): string | null {
  return text;
}

/** Reads a parameter that is `true` or `false`, and `false` where it is not sent. */
export function flag(text: string | null, name: string): boolean {
  if (text !== null && text !== 'true' && text !== 'false')
    throw invalidQuery(name, 'boolean', `${name} must be true or false.`);
  return text === 'true';
}

/** Parameter that takes several values, with commas between them or each sent as a parameter of its own. */
export function several<Value>(ofEntries: Several<Value>['ofEntries']): Several<Value> {
  return { ofEntries };
}

/**
 * {@link several} values of a closed set, in its order.
 *
 * @param what one of them is, in messages
 * @param usual the values if none is sent
 */
export function severalOf<Value extends string>(
  all: readonly Value[],
  what: string,
  usual: readonly Value[],
): Several<readonly Value[]> {
  return several((asked, name) => {
    if (asked === null) return usual;
    const unknown = asked.find((one) => !(all as readonly string[]).includes(one));
    if (unknown !== undefined) {
      throw invalidQuery(name, 'enum', `Unknown ${what}: ${unknown}. Use ${all.join(', ')}.`);
    }
    return all.filter((one) => asked.includes(one));
  });
}

/** {@link several} values that are their texts; `null`: not sent. */
export const ENTRIES = several((entries) => entries);

export function invalidQuery(field: string, rule: string, message: string): DomainError {
  return new DomainError('invalid_query', message, { details: [{ field, rule, message }] });
}

/** Refuses unknown parameters, and ones sent twice that take one value. @throws {DomainError} `invalid_query`, naming it */
export function requireKnown(
  query: URLSearchParams,
  known: readonly string[],
  parameters: Parameters = {},
  family?: Family,
): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (!known.includes(name) && !family?.pattern.test(name)) throw unknownParameter(name, known, family);
    if (seen.has(name) && typeof parameters[name] !== 'object') {
      throw invalidQuery(name, 'repeated', `The query parameter ${name} is sent more than once.`);
    }
    seen.add(name);
  }
}

function unknownParameter(name: string, known: readonly string[], family: Family | undefined): DomainError {
  const meant = nearestName(name, known);
  const all = [...known, ...(family ? [family.shown] : [])];
  const taken = all.length === 0 ? 'This address takes none.' : `This address takes ${all.join(', ')}.`;
  const hint = meant === null ? taken : `Did you mean ${meant}?`;
  return invalidQuery(name, 'unknown', `Unknown query parameter: ${name}. ${hint}`);
}

function entriesOf(query: URLSearchParams, name: string): string[] | null {
  if (!query.has(name)) return null;
  const found = query
    .getAll(name)
    .join(',')
    .split(',')
    .map((item) => item.trim());
  if (found.includes('')) throw invalidQuery(name, 'empty', `${name} has an empty entry.`);
  return found;
}

function wholeNumber(text: string | null, name: string): number | null {
  if (text === null) return null;
  if (!/^0*[1-9]\d{0,14}$/.test(text)) throw invalidQuery(name, 'integer', `${name} must be a whole number from 1.`);
  return Number(text);
}
