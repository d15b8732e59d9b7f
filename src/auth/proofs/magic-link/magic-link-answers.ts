import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import type { ClientKind } from '../../pages/client-kind.js';
import { linkToken } from '../../pages/own-form.guard.js';
import { SignInAnswers, type TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import type { TokenMode } from '../../sessions/answers/token-mode.dto.js';
import { LinkRedirects } from '../mail/link-redirects.js';
import { LinkOwners } from '../challenges/link-owners.js';
import { MagicLinkService } from './magic-link.service.js';
import { signedInPage, signInPage } from '../../pages/own-pages.js';

export type LinkAnswer = TokenAnswer | Answer<TokenAnswer> | Answer<undefined> | Page;

const OK = 200;
const NO_CONTENT = 204;

/** Answers to requests of magic links, by the kind of client. */
@Injectable()
export class MagicLinkAnswers {
  constructor(
    private readonly links: MagicLinkService,
    private readonly redirects: LinkRedirects,
    private readonly answers: SignInAnswers,
    private readonly owners: LinkOwners,
  ) {}

  /** Only a program that asks for JSON consumes the link with GET. */
  async visit(client: ClientKind, query: URLSearchParams, visitor: Visitor): Promise<LinkAnswer> {
    if (client === 'head') return Answer.empty(OK);
    if (client === 'prefetch') return Answer.empty(NO_CONTENT);
    const token = linkToken(query);
    if (client === 'browser') {
      return signInPage(token, await this.owners.requireOpen('sign_in', token), this.redirects.sources);
    }
    return this.answers.of(await this.links.open(token, visitor));
  }

  async consume(token: string, mode: TokenMode | undefined, visitor: Visitor): Promise<LinkAnswer> {
    return this.answers.of(await this.links.open(token, visitor), mode);
  }

  /** A person has no use for tokens: the browser is led on, or keeps the session as a cookie. */
  async consumeInBrowser(token: string, visitor: Visitor): Promise<LinkAnswer> {
    const signedIn = await this.owners.naming('sign_in', token, () => this.links.lead(token, visitor));
    if (signedIn.kind === 'elsewhere') return Answer.seeOther(signedIn.address);
    const { session } = signedIn;
    return signedInPage(session.account.name, await this.answers.cookiesOf(session));
  }
}
