import { Injectable, type PipeTransform } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';

/** The id of a token in a path. What is no id names no token: that is 404 and not 400. */
@Injectable()
export class TokenIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    if (!/^\d{1,16}$/.test(text)) throw new DomainError('token_not_found', 'There is no such API token.');
    return Number(text);
  }
}
