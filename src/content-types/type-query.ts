import type { PipeTransform } from '@nestjs/common';
import { requireKnown } from '../common/http/url-query.js';

/** The query of a route that takes none. */
export class NoParameters implements PipeTransform<URLSearchParams, void> {
  /** @throws {DomainError} `invalid_query` */
  transform(query: URLSearchParams): void {
    requireKnown(query, () => false);
  }
}

/** `?confirm=<name of the type>`: the client means the loss. Any other name confirms nothing. */
export class Confirmation implements PipeTransform<URLSearchParams, string | null> {
  /** @throws {DomainError} `invalid_query` */
  transform(query: URLSearchParams): string | null {
    requireKnown(query, (name) => name === 'confirm');
    return query.get('confirm');
  }
}
