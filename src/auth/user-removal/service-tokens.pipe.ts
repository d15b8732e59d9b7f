import type { PipeTransform } from '@nestjs/common';
import { invalidQuery, readQuery } from '../../common/http/url-query.js';

/** What becomes of the API tokens of services that a removed user was responsible for. */
export type ServiceTokenFate = 'keep' | 'revoke';

/** `?tokens=keep|revoke`. They are kept where nothing is said. */
export class ServiceTokensPipe implements PipeTransform<URLSearchParams, ServiceTokenFate> {
  /** @throws {DomainError} `invalid_query` */
  transform(query: URLSearchParams): ServiceTokenFate {
    return readQuery(query, { tokens: fateOf }).tokens;
  }
}

function fateOf(text: string | null): ServiceTokenFate {
  if (text === null || text === 'keep') return 'keep';
  if (text === 'revoke') return text;
  throw invalidQuery('tokens', 'enum', 'tokens must be keep or revoke.');
}
