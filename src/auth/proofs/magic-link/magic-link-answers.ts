import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import type { Approach } from '../../pages/approach.js';
import { linkToken } from '../../pages/link-token.js';
import { SignInAnswers } from '../../sessions/answers/sign-in-answers.js';
import type { TokenMode } from '../../sessions/answers/token-mode.dto.js';
import type { TokenAnswer } from '../../sessions/answers/token-answer.js';
import { LinkRedirects } from '../mail/link-redirects.js';
import { LinkOwners } from '../challenges/link-owners.js';
import { MagicLinkService } from './magic-link.service.js';
import { signedInPage, signInPage } from '../../pages/own-pages.js';

export type LinkAnswer = TokenAnswer | Answer<TokenAnswer> | Answer<undefined> | Page;

const OK = 200;
const NO_CONTENT = 204;

/** Answers to magic links: for programs, for people in browsers, and for what only looks. */
@Injectable()
export class MagicLinkAnswers {
  constructor(
    private readonly links: MagicLinkService,
    private readonly redirects: LinkRedirects,
    private readonly answers: SignInAnswers,
    private readonly owners: LinkOwners,
  ) {}

  /** Only a program that asks for JSON spends the link by following it. */
  async visit(approach: Approach, query: URLSearchParams, visitor: Visitor): Promise<LinkAnswer> {
    if (approach === 'look') return Answer.empty(OK);
    if (approach === 'prefetch') return Answer.empty(NO_CONTENT);
    const token = linkToken(query);
    if (approach === 'browser') {
      return signInPage(token, await this.owners.maskedOf('sign_in', token), this.redirects.sources);
    }
    return this.answers.of(await this.links.open(token, visitor));
  }

  async meet(token: string, mode: TokenMode | undefined, visitor: Visitor): Promise<LinkAnswer> {
    return this.answers.of(await this.links.open(token, visitor), mode);
  }

  /** A person has no use for tokens: the browser is led on, or keeps the session as a cookie. */
  async meetInBrowser(token: string, visitor: Visitor): Promise<LinkAnswer> {
    const signedIn = await this.owners.naming('sign_in', token, () => this.links.lead(token, visitor));
    if (signedIn.kind === 'elsewhere') return Answer.seeOther(signedIn.address);
    const { session } = signedIn;
    return signedInPage(session.account.name, await this.answers.cookiesOf(session));
  }
}
