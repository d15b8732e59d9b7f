import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { AccountLocks, AccountTries, codesLocked } from '../../limits/account-tries.js';
import { KnownClients, type KnownClient } from '../../limits/known-clients.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Challenges, type OpenChallenge, MAX_ATTEMPTS, type ChallengeKey } from '../challenges/challenges.js';
import { MailboxOwners } from '../challenges/mailbox-owners.js';

/** At one code from all known devices of a user: each sign-in makes one more of them. */
const MAX_DEVICE_ATTEMPTS = 15;

/** Compares codes, each at the price of an attempt. Known devices have attempts of their own. */
@Injectable()
export class CodeCheck {
  constructor(
    private readonly challenges: Challenges,
    private readonly tries: AccountTries,
    private readonly settings: Settings,
  ) {}

  /** True if a code may be tried from there. Takes no attempt. */
  async isOpen(key: ChallengeKey, client: KnownClient | null): Promise<boolean> {
    const { codeSeconds } = this.settings.signIn;
    return (await this.challenges.openCode(key, codeSeconds, client ? Infinity : undefined)) !== null;
  }

  /** `null`: it is not the code, or there is none. Either takes as long. */
  async compare(key: ChallengeKey, code: string, client: KnownClient | null): Promise<OpenChallenge | null> {
    const { codeSeconds } = this.settings.signIn;
    const open = client ? await this.takeOwn(key, client) : await this.challenges.takeAttempt(key, codeSeconds);
    return this.challenges.isCode(open, key.purpose, code) ? open : null;
  }

  /**
   * Takes a code for something else than a sign-in. It is counted as that of a known device is.
   *
   * @param client the session that shows it
   * @throws {DomainError} `invalid_code`, `too_many_requests`
   */
  async confirm(emailKey: string, code: string, client: KnownClient): Promise<OpenChallenge> {
    await this.tries.requireOf('code', codeCounter(emailKey, client), CODE_FAILURES);
    const open = await this.compare({ purpose: 'sign_in', subject: emailKey }, code, client);
    if (!open) throw invalidCode();
    return open;
  }

  /** Spends a code that was right. @param counted see {@link codeCounter} @throws {DomainError} `invalid_code`: it is spent */
  async spend(manager: EntityManager, open: OpenChallenge, counted: string): Promise<void> {
    if (!(await this.challenges.consumeByCode(manager, open))) throw invalidCode();
    await this.tries.forgetWithin(manager, 'code', counted);
  }

  private async takeOwn(key: ChallengeKey, { id }: KnownClient): Promise<OpenChallenge | null> {
    const { codeSeconds } = this.settings.signIn;
    const open = await this.challenges.openCode(key, codeSeconds, Infinity);
    if (!open) return null;
    // A challenge keeps its row while its codes follow each other.
    const counter = `${open.codeHash}\n${id}`;
    const own = { limit: MAX_ATTEMPTS, seconds: codeSeconds };
    if (!(await this.tries.takeOf('code_attempt', counter, own))) return null;
    const all = { limit: MAX_DEVICE_ATTEMPTS, seconds: codeSeconds };
    return (await this.tries.takeOf('code_attempt', `${open.codeHash}\ndevices`, all)) ? open : null;
  }
}

/** Wrong codes for one address: a new code does not give new tries. */
const CODE_FAILURES = { limit: 10, seconds: 900 };

/** Wrong codes in a day: without it six digits are guessed for one of a hundred accounts in some weeks. */
const CODE_FAILURES_A_DAY = { limit: 20, seconds: 86_400 };

/** Key by which wrong codes for an address are counted. */
export function codeCounter(emailKey: string, client: KnownClient | null): string {
  return client ? `${emailKey}\n${client.id}` : emailKey;
}

/** Counts wrong codes, for each known client apart. Only while a code is open: other guesses must not use up the tries. */
@Injectable()
export class CodeTries {
  constructor(
    private readonly check: CodeCheck,
    private readonly tries: AccountTries,
    private readonly locks: AccountLocks,
    private readonly knownClients: KnownClients,
    private readonly settings: Settings,
  ) {}

  /**
   * Tries a code.
   *
   * @param consume uses the challenge of the code
   * @returns what `consume` does; `null`: it is not the code, or there is none
   * @throws {DomainError} `too_many_requests`, and what `consume` throws
   */
  async try<Result>(
    { emailKey, code }: Readonly<Record<'emailKey' | 'code', string>>,
    visitor: Visitor,
    consume: (open: OpenChallenge) => Promise<Result | null>,
  ): Promise<Result | null> {
    const client = await this.knownClients.deviceOf(visitor, emailKey, 'verify');
    const key = { purpose: 'sign_in', subject: emailKey } as const;
    if (!(await this.check.isOpen(key, client))) return null;
    const counter = codeCounter(emailKey, client);
    const isLast = await this.take(counter);
    const open = await this.check.compare(key, code, client);
    const consumed = open && (await consume(open));
    if (consumed) await this.forgive(counter);
    else if (isLast) this.locks.begin('code', emailKey, visitor);
    return consumed;
  }

  /** @returns whether it was the last one for now, or for the day */
  private async take(counter: string): Promise<boolean> {
    const isLast = await this.tries.requireOf('code', counter, CODE_FAILURES);
    if (!this.hasLink) return isLast;
    return (await this.tries.requireOf('code_day', counter, CODE_FAILURES_A_DAY, codesLocked)) || isLast;
  }

  /** Gives back this try of the day alone: otherwise each sign-in of the owner would give others twenty more. */
  private async forgive(counter: string): Promise<void> {
    await this.tries.forget('code', counter);
    if (this.hasLink) await this.tries.giveBack('code_day', counter);
  }

  /** Without a link in the mail, tries of strangers would keep the owner out for a day. */
  private get hasLink(): boolean {
    return this.settings.signIn.methods.has('magic-link');
  }
}

function invalidCode(): DomainError {
  return new DomainError('invalid_code', 'The code is invalid or has expired.');
}

/** Signing in with a code from a mail. */
@Injectable()
export class OtpService {
  constructor(
    private readonly tries: CodeTries,
    private readonly challenges: Challenges,
    private readonly owners: MailboxOwners,
    private readonly sessions: SessionOpener,
    private readonly audit: Audit,
  ) {}

  /** @param emailKey see `EmailAddress` @throws {DomainError} `invalid_code`, `account_disabled`, `signup_closed`, `too_many_requests` */
  verify(emailKey: string, code: string, visitor: Visitor): Promise<OpenedSession> {
    const proof = { amr: ['otp'], event: 'otp.verify', visitor } as const;
    return this.audit.noteRefusal({ event: proof.event, typedEmail: emailKey, visitor }, async () => {
      const opened = await this.tries.try({ emailKey, code }, visitor, (open) =>
        this.owners.proving(
          { emailKey, visitor },
          (manager) => this.challenges.consumeByCode(manager, open),
          (manager, { account }) => this.sessions.open(manager, { account, ...proof }),
        ),
      );
      if (!opened) throw invalidCode();
      return opened;
    });
  }
}
