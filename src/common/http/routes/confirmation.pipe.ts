import type { PipeTransform } from '@nestjs/common';
import { asSent, readQuery } from '../url-query.js';

/** `?confirm=<name>`: the client means the loss. Any other name confirms nothing. */
export class ConfirmationPipe implements PipeTransform<URLSearchParams, string | null> {
  /** @throws {DomainError} `invalid_query` */
  transform(query: URLSearchParams): string | null {
    return readQuery(query, { confirm: asSent }).confirm;
  }
}
