import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { PROVIDER_NAMES } from '../../../config/provider-settings.js';
import { Settings } from '../../../config/settings.js';
import { GATEWAY } from '../../../config/issuer-settings.js';
import type { Methods } from '../../methods/sign-in-methods.js';

const FRESH_SECONDS = 600;
const CLOCK_TOLERANCE_MS = 60_000;

/** Decides whether the sign-in of a user is fresh enough for what makes lasting authority. */
@Injectable()
export class SignInFreshness {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** A token was made by a fresh sign-in, and is not asked. @throws {DomainError} `insufficient_user_authentication` */
  require({ kind, authTime = 0, issuer }: Caller): void {
    if (kind === 'user') this.requireSince(authTime, issuer);
  }

  /**
   * @param authTime of the sign-in, milliseconds since 1970, UTC
   * @param issuer of a user without a session
   * @throws {DomainError} `insufficient_user_authentication`
   * @see RFC 9470
   */
  requireSince(authTime: number, issuer?: string): void {
    const { methods } = this.settings.signIn;
    const age = this.clock.now() - authTime;
    // Clocks of instances differ; a time that is far ahead is none.
    if (age < FRESH_SECONDS * 1_000 && age > -CLOCK_TOLERANCE_MS) return;
    throw new DomainError(
      'insufficient_user_authentication',
      `This needs a sign-in of the last ${FRESH_SECONDS} seconds. ${issuer === undefined ? whatToDo(methods) : whereToSignIn(issuer)}`,
      {
        headers: {
          'WWW-Authenticate': `Bearer realm="cms", error="insufficient_user_authentication", max_age="${FRESH_SECONDS}"`,
        },
      },
    );
  }
}

function whereToSignIn(issuer: string): string {
  return issuer === GATEWAY
    ? 'Sign in again at your gateway, which has to send X-Forwarded-Auth-Time, or to be trusted for it: "auth_time" and "fresh" in GATEWAY_USERS.'
    : `Sign in again at ${issuer}, which has to send auth_time in its tokens, or to be trusted for it: "fresh" in TRUSTED_ISSUERS.`;
}

function whatToDo(methods: Methods): string {
  const ways = [
    ...(methods.has('password') ? ['your password'] : []),
    ...(methods.has('otp') ? ['a mailed code'] : []),
  ];
  const again = PROVIDER_NAMES.some((name) => methods.has(name))
    ? `sign in again, with a provider at its /redirect?max_age=${FRESH_SECONDS}.`
    : 'sign in again.';
  if (ways.length === 0) return `Please ${again}`;
  return `Confirm who you are with ${ways.join(' or ')} at POST /api/auth/step-up, or ${again}`;
}
