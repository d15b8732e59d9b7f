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
import type { ProviderName } from '../../config/provider-settings.js';
import { Settings } from '../../config/settings.js';
import type { AuthMethod } from '../../config/sign-in-settings.js';

export type Methods = ReadonlySet<AuthMethod>;

/** The parts of a mail that sign in, inside a sentence: `a code or a link`; `null`: nothing does. */
export function mailedWays(methods: Methods): string | null {
  const ways = [...(methods.has('otp') ? ['a code'] : []), ...(methods.has('magic-link') ? ['a link'] : [])];
  return ways.length > 0 ? ways.join(' or ') : null;
}

/** The way in for the owner of an account who has no other one yet, inside a sentence: `a code by mail`. */
export function ownersWay(methods: Methods): string {
  if (methods.has('otp')) return 'a code by mail';
  if (methods.has('magic-link')) return 'a link by mail';
  return methods.has('password') ? 'your password' : 'an identity that is linked to it';
}

/** As they stand inside a sentence. */
const TITLES: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  apple: 'Apple',
  oidc: 'your organisation’s sign-in',
};

/** The common name of an identity provider, inside a sentence: `google` -> `Google`. One of a former release has its own name. */
export function providerTitle(provider: string): string {
  return Object.hasOwn(TITLES, provider) ? TITLES[provider as ProviderName] : provider;
}

/** The same at the beginning of a sentence. */
export function providerTitleFirst(provider: string): string {
  const title = providerTitle(provider);
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}

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

/** Names the way to sign in that a route belongs to: without that way it is not there. */
export const SignInMethod = (method: AuthMethod): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(METHOD, method), UseGuards(SignInMethodGuard));
