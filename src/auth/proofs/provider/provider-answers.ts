import { Inject, Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError, type FailurePageParts } from '../../../common/errors/domain-error.js';
import { Answer } from '../../../common/http/answer.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import { maskedAddress } from '../../pages/own-pages.js';
import { withParameter } from '../../exchange/redirect-targets.js';
import { SignInAnswers, type TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import type { IdTokenDto } from './id-token.dto.js';
import type { Logger } from 'pino';
import { Audit } from '../../../audit/audit.js';
import { ERROR_STATUS } from '../../../common/errors/catalogue.js';
import { LOG } from '../../../common/logging/logging.module.js';
import type { FlowOutcome } from './flow/flow.js';
import { IdentityProviders } from './passport/identity-providers.js';
import type { PresentedSession } from './identity/identity-provider.js';
import { personName } from './identity/provider-claims.js';
import { ProviderSignInService } from './provider-sign-in.service.js';

type Tokens = TokenAnswer | Answer<TokenAnswer>;

/** Who it was, as far as that is known, and how to try once more. */
function pageOf({ result, again }: FlowOutcome): FailurePageParts {
  const email = result instanceof Error ? null : result.email;
  return {
    ...(email ? { address: maskedAddress(email.address) } : {}),
    ...(again === null ? {} : { way: { href: again, label: 'Begin again' } }),
  };
}

/** What is answered to browsers that come back from a provider, and to apps. */
@Injectable()
export class ProviderAnswers {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly signIn: ProviderSignInService,
    private readonly answers: SignInAnswers,
    private readonly audit: Audit,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Tokens, or, where the sign-in leads elsewhere, the way there with a one-time code or the name of an error. */
  async comeBack(provider: ProviderName, outcome: FlowOutcome, visitor: Visitor): Promise<Tokens | Answer<undefined>> {
    try {
      return await this.signedIn(outcome, visitor);
    } catch (error) {
      this.note(error, provider, visitor);
      const { redirectTo } = outcome;
      if (!(error instanceof DomainError)) throw error;
      if (redirectTo === null) throw error.withPage(pageOf(outcome));
      return Answer.seeOther(withParameter(redirectTo, 'error', error.error));
    }
  }

  /** For an app that has the id_token from the provider itself. */
  async fromIdToken(
    provider: ProviderName,
    body: IdTokenDto,
    session: PresentedSession | null,
    visitor: Visitor,
  ): Promise<Tokens> {
    try {
      const identity = await (await this.providers.require(provider)).identify(body.id_token, body.nonce);
      const named = { ...identity, name: identity.name ?? personName(body.name) };
      return await this.answers.of(await this.signIn.open({ identity: named, session, visitor }, false), body.mode);
    } catch (error) {
      this.note(error, provider, visitor);
      throw error;
    }
  }

  /** Browsers get the name of the failure in an address: only the log has that a provider is out of order. */
  private note(error: unknown, provider: ProviderName, visitor: Visitor): void {
    if (!(error instanceof DomainError)) return;
    this.audit.note({ event: 'provider.sign_in', outcome: 'failure', provider, reason: error.error, visitor });
    const isOurs = ERROR_STATUS[error.error] >= 500;
    if (isOurs) this.log.warn({ request_id: visitor.requestId, provider, err: error.cause }, error.message);
  }

  private async signedIn(outcome: FlowOutcome, visitor: Visitor): Promise<Tokens | Answer<undefined>> {
    const { result: identity, redirectTo, session, device, maxAge } = outcome;
    if (identity instanceof Error) throw identity;
    const proof = { identity, session, visitor: { ...visitor, device: visitor.device ?? device } };
    if (redirectTo === null) return this.answers.of(await this.signIn.open(proof, typeof maxAge === 'number'));
    const code = await this.signIn.issueCode(proof, outcome);
    return Answer.seeOther(withParameter(redirectTo, 'code', code));
  }
}
