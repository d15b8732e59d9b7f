import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { AccountTries } from '../../limits/account-tries.js';
import type { KnownClient } from '../../limits/known-clients.js';
import { Challenges, type OpenChallenge } from '../challenges/challenges.js';
import { CodeCheck } from './code-check.js';
import { CODE_FAILURES, codeCounter } from './code-tries.js';

/** Takes codes from a mail for something else than a sign-in. They are counted as those of a known device are. */
@Injectable()
export class CodeConfirmations {
  constructor(
    private readonly check: CodeCheck,
    private readonly challenges: Challenges,
    private readonly tries: AccountTries,
  ) {}

  /**
   * @param emailKey see `EmailAddress`
   * @param code six digits
   * @param client the session that shows it
   * @throws {DomainError} `invalid_code`, `too_many_requests`
   */
  async compare(emailKey: string, code: string, client: KnownClient): Promise<OpenChallenge> {
    await this.tries.requireOf('code', codeCounter(emailKey, client), CODE_FAILURES);
    const open = await this.check.compare({ purpose: 'sign_in', subject: emailKey }, code, client);
    if (!open) throw invalidCode();
    return open;
  }

  /** Spends a code that was right. @param counted see {@link codeCounter} @throws {DomainError} `invalid_code`: it was spent meanwhile */
  async spend(manager: EntityManager, open: OpenChallenge, counted: string): Promise<void> {
    if (!(await this.challenges.consumeByCode(manager, open))) throw invalidCode();
    await this.tries.forgetWithin(manager, 'code', counted);
  }
}

function invalidCode(): DomainError {
  return new DomainError('invalid_code', 'The code is invalid or has expired.');
}
