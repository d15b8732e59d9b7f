import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../common/access/visitor.js';
import type { Page } from '../../common/http/page.js';
import { Links } from '../challenges/links.js';
import { serviceTokensGoOn } from '../notices/service-tokens-go-on.js';
import type { Holder } from '../sessions/holder.js';
import { lockDownPage, lockedDownPage } from './lock-down.pages.js';
import { LockDownService } from './lock-down.service.js';
import type { LockedDown } from './locked-accounts.js';

/** What a lock-down is answered with. */
export interface LockDownAnswer {
  readonly message: string;
}

const ENDED = 'Password, sessions, linked identities and personal API tokens have ended.';

/** Answers those who lock an account down. */
@Injectable()
export class LockDownAnswers {
  constructor(
    private readonly service: LockDownService,
    private readonly links: Links,
  ) {}

  page(token: string): Page {
    return lockDownPage(token, this.links.host);
  }

  async byLink(token: string, isForm: boolean, visitor: Visitor): Promise<LockDownAnswer | Page> {
    const { message } = answer(await this.service.byLink(token, visitor));
    return isForm ? lockedDownPage(message) : { message };
  }

  async byHolder(holder: Holder, visitor: Visitor): Promise<LockDownAnswer> {
    return answer(await this.service.byHolder(holder, visitor));
  }
}

function answer({ isMailed, serviceTokens }: LockedDown): LockDownAnswer {
  const next = isMailed
    ? 'A mail with a link for a new password is on its way.'
    : 'Sign in by mail, or ask an administrator to open the account again.';
  return { message: [ENDED, ...serviceTokensGoOn(serviceTokens), next].join(' ') };
}
