import type { PipeTransform } from '@nestjs/common';
import { invalidQuery, requireKnown } from '../../common/http/url-query.js';

/** What becomes of the API tokens of services that a removed user was responsible for. */
export type ServiceTokenFate = 'keep' | 'revoke';

/** `?tokens=keep|revoke`. They are kept where nothing is said. */
export class ServiceTokensPipe implements PipeTransform<URLSearchParams, ServiceTokenFate> {
  /** @throws {DomainError} `invalid_query` */
  transform(query: URLSearchParams): ServiceTokenFate {
    requireKnown(query, ['tokens']);
    const fate = query.get('tokens') ?? 'keep';
    if (fate === 'keep' || fate === 'revoke') return fate;
    throw invalidQuery('tokens', 'enum', 'tokens must be keep or revoke.');
  }
}
