import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { Challenges } from '../challenges/challenges.js';
import type { Recipient } from '../challenges/recipients.js';
import { CodeHashes } from '../challenges/code-hashes.js';
import { hashOf, newSecret } from '../../secrets/secrets.js';
import { SignInLetters } from './sign-in-letters.js';

/** Where a sign-in by link redirects to. */
export interface Destination {
  /** One of `REDIRECT_ALLOW_LIST`. */
  readonly redirectTo: string;
  /** Who may redeem the code that arrives there; `null`: any bearer. @see RFC 7636 */
  readonly codeChallenge: string | null;
}

/** What is stored with a sign-in challenge until it is consumed. */
export interface SignInContext {
  /** As it was typed: a new account has this address. */
  readonly address: string;
  /** `null`: nowhere. */
  readonly destination: Destination | null;
}

interface Begun extends Recipient, Pick<SignInContext, 'destination'> {
  readonly email: EmailAddress;
  readonly code: string;
  readonly token: string;
}

/** Begins sign-ins by mail: one mail has a code and a link, and either of them spends both. */
@Injectable()
export class SignInChallenges {
  constructor(
    private readonly challenges: Challenges,
    private readonly hashes: CodeHashes,
    private readonly letters: SignInLetters,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async begin(manager: EntityManager, { email, userId, to, destination, code, token }: Begun): Promise<void> {
    const { codeSeconds, linkSeconds } = this.settings.signIn;
    const expiresAt = this.clock.now() + Math.max(codeSeconds, linkSeconds) * 1_000;
    // A code that was not sent must not be guessed either.
    const hashed = to === null ? newSecret() : code;
    const context: SignInContext = { address: email.address, destination };
    await this.challenges.replace(manager, {
      purpose: 'sign_in',
      subject: email.key,
      userId,
      tokenHash: hashOf(token),
      codeHash: (id) => this.hashes.of('sign_in', id, hashed),
      context,
      expiresAt,
    });
    await this.letters.send(manager, to, { code, token, expiresAt });
  }
}
