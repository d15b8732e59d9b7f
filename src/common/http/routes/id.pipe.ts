import { idOf } from '../../text/names.js';
import type { PipeTransform } from '@nestjs/common';
import type { DomainError } from '../../errors/domain-error.js';

/** The id in a path. A text that can be none belongs to nothing: that is 404 and not 400. */
export class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly notFound: (id: string) => DomainError) {}

  /** @throws {DomainError} that of `notFound` */
  transform(text: string): number {
    const id = idOf(text);
    if (id === null) throw this.notFound(text);
    return id;
  }
}
