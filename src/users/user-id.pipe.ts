import { Injectable, type PipeTransform } from '@nestjs/common';
import { userNotFound } from './user.errors.js';

/** The id of a user out of a path. One that cannot be an id belongs to nobody. */
@Injectable()
export class UserIdPipe implements PipeTransform<string, number> {
  /** @throws {DomainError} `user_not_found` */
  transform(text: string): number {
    if (!/^\d{1,16}$/.test(text)) throw userNotFound(text);
    return Number(text);
  }
}
