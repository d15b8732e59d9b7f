import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';
import type { AuthMethod } from '../../config/sign-in-settings.js';

const METHOD = 'sign-in:method';
/** As they stand inside a sentence, where their names do not. */
const WORDS: Partial<Record<AuthMethod, string>> = { otp: 'a code from a mail', 'magic-link': 'a link from a mail' };

/** Refuses ways to sign in that `AUTH_METHODS` leaves out. */
@Injectable()
class SignInMethodGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `not_found`, as if the route were not there */
  canActivate(context: ExecutionContext): boolean {
    const method = this.reflector.getAllAndOverride<AuthMethod>(METHOD, [context.getHandler(), context.getClass()]);
    if (this.settings.signIn.methods.has(method)) return true;
    throw new DomainError('not_found', `Signing in by ${WORDS[method] ?? method} is switched off here.`);
  }
}

/** Says to which way to sign in a route belongs: it is there as long as that is open. */
export const SignInMethod = (method: AuthMethod): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(METHOD, method), UseGuards(SignInMethodGuard));
