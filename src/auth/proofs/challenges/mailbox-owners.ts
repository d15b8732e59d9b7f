import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { AuditEventName } from '../../../audit/audit-event.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { isSetUpByAdmin, type Account } from '../../../users/rows/account.js';
import { ProvenMailbox } from '../../accounts/proven-mailbox.js';
import { SignUp, retryOnCollision } from '../../accounts/sign-up.js';
import { isSecret } from '../../secrets/secrets.js';
import type { ConsumedChallenge } from './challenges.js';
import { invalidLink, MailedLinks, type LinkPurpose } from './mailed-links.js';

interface Proven {
  readonly account: Account;
  /** True if it was there unproven, so that everything was taken from it that opened it. */
  readonly isStripped: boolean;
}

/** Works with what a challenge has proved. */
type Work<Result> = (manager: EntityManager, proven: Proven, context: unknown) => Promise<Result>;

/** Proves mailboxes by codes and mailed links, and finds or creates the accounts of their owners. */
@Injectable()
export class MailboxOwners {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly mailbox: ProvenMailbox,
    private readonly signUp: SignUp,
    private readonly links: MailedLinks,
    private readonly audit: Audit,
  ) {}

  /**
   * Takes a mailed link for the proof of the mailbox that it was mailed to.
   *
   * @param prepare makes the work, once the link seems good: it may hash a password, which is slow
   * @throws {DomainError} `invalid_link`, `account_disabled`, `signup_closed`, `last_admin`
   */
  async take<Result>(
    { purpose, token, event, visitor }: FollowedLink,
    prepare: () => Work<Result> | Promise<Work<Result>>,
  ): Promise<Result> {
    // A text that is none of our tokens is not noted.
    if (!isSecret(token)) throw invalidLink();
    return this.audit.noteRefusal({ event, visitor }, async () => {
      const emailKey = await this.links.openSubjectOf(purpose, token);
      if (emailKey === null) throw invalidLink();
      const consume = (manager: EntityManager) => this.links.consume(manager, purpose, token);
      const result = await this.proving({ emailKey, visitor }, consume, await prepare());
      if (result === null) throw invalidLink();
      return result;
    });
  }

  /**
   * Runs a unit of work in which a mailbox is proved. The account is locked before the challenge is consumed.
   *
   * @param work done with the account of the address, a new one if sign-up is open to it
   * @returns `null`: the challenge could not be consumed
   * @throws {DomainError} `account_disabled`, `signup_closed`, `last_admin`
   */
  proving<Result>(
    { emailKey, visitor }: { readonly emailKey: string; readonly visitor: Visitor },
    consume: (manager: EntityManager) => Promise<ConsumedChallenge | null>,
    work: Work<Result>,
  ): Promise<Result | null> {
    return retryOnCollision(() =>
      this.unitOfWork.run(async (manager) => {
        await this.mailbox.hold(manager, { key: emailKey });
        const consumed = await consume(manager);
        if (!consumed) return null;
        return work(manager, await this.prove(manager, addressOf(consumed), visitor), consumed.context);
      }),
    );
  }

  private async prove(manager: EntityManager, email: EmailAddress, visitor: Visitor): Promise<Proven> {
    const known = await this.mailbox.hold(manager, email);
    if (!known) {
      const account = await this.signUp.register(manager, email, { name: null, isProved: true });
      return { account, isStripped: false };
    }
    const account = await this.mailbox.prove(manager, known, { visitor });
    return { account, isStripped: known.emailVerifiedAt === null && !isSetUpByAdmin(known) };
  }
}

/** As it was typed, if the challenge has noted that: a new account has this address. */
function addressOf({ subject, context }: ConsumedChallenge): EmailAddress {
  const { address = subject } = (context ?? {}) as { readonly address?: string };
  return { address, key: subject };
}

interface FollowedLink {
  readonly purpose: LinkPurpose;
  readonly token: string;
  readonly event: AuditEventName;
  readonly visitor: Visitor;
}
