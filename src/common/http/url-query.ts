import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { nearestName } from '../text/nearest-word.js';

/** The query of a request, as it was sent: names in order, nothing parsed, nothing lost. */
export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** {@link queryOf} the current request, as a handler's argument. */
export const UrlQuery = createParamDecorator((_: unknown, context: ExecutionContext): URLSearchParams =>
  queryOf(context.switchToHttp().getRequest<Request>()),
);

const NONE: ReadonlySet<string> = new Set();

/** Parameters that are named by a pattern, `filter[title]`, and how messages write it. */
interface Family {
  readonly pattern: RegExp;
  readonly shown: string;
}

export function invalidQuery(field: string, rule: string, message: string): DomainError {
  return new DomainError('invalid_query', message, { details: [{ field, rule, message }] });
}

/**
 * Refuses parameters that a route does not know, and ones that are sent twice though they take one value.
 *
 * @param several those that take several values, see {@link entriesOf}
 * @throws {DomainError} `invalid_query`, naming the parameter and what may be meant
 */
export function requireKnown(
  query: URLSearchParams,
  known: readonly string[] | ReadonlySet<string>,
  several: ReadonlySet<string> = NONE,
  family?: Family,
): void {
  const names = new Set(known);
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (!names.has(name) && !family?.pattern.test(name)) throw unknownParameter(name, [...names], family);
    if (seen.has(name) && !several.has(name)) {
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

/**
 * Whether the one parameter that a route knows says `true`.
 *
 * @throws {DomainError} `invalid_query`
 */
export function onlyFlag(query: URLSearchParams, name: string): boolean {
  requireKnown(query, [name]);
  return flagIn(query, name);
}

/**
 * Whether a parameter says `true`.
 *
 * @throws {DomainError} `invalid_query`
 */
export function flagIn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalidQuery(name, 'boolean', `${name} must be true or false.`);
  return text === 'true';
}

/**
 * The entries of a parameter that takes several, with commas between them or each sent as a parameter of its own;
 * `null` where it is not sent.
 *
 * @throws {DomainError} `invalid_query`: one of them is empty
 */
export function entriesOf(query: URLSearchParams, name: string): string[] | null {
  if (!query.has(name)) return null;
  const found = query.getAll(name).flatMap((text) => text.split(',').map((item) => item.trim()));
  if (found.includes('')) throw invalidQuery(name, 'empty', `${name} has an empty entry.`);
  return found;
}
