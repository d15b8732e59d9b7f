import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Answer } from '../../common/http/answer.js';
import type { ProviderName } from '../../config/provider-settings.js';
import { withParameter } from '../exchange/redirect-targets.js';
import { SignInAnswers } from '../sessions/sign-in-answers.js';
import type { TokenAnswer } from '../sessions/token-answer.js';
import type { IdTokenDto } from './dto/id-token.dto.js';
import { FlowFailures } from './flow-failures.js';
import type { FlowOutcome } from './flow.js';
import { IdentityProviders } from './identity-providers.js';
import { personName } from './provider-claims.js';
import { ProviderSignIn } from './provider-sign-in.service.js';

type Tokens = TokenAnswer | Answer<TokenAnswer>;

/** What is answered to browsers that come back from a provider, and to apps. */
@Injectable()
export class ProviderAnswers {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly signIn: ProviderSignIn,
    private readonly answers: SignInAnswers,
    private readonly failures: FlowFailures,
  ) {}

  /** Tokens, or, where the sign-in leads elsewhere, the way there with a one-time code or the name of an error. */
  async comeBack(provider: ProviderName, outcome: FlowOutcome, visitor: Visitor): Promise<Tokens | Answer<undefined>> {
    try {
      return await this.signedIn(outcome, visitor);
    } catch (error) {
      this.failures.note(error, provider, visitor);
      const { redirectTo } = outcome;
      if (redirectTo === null || !(error instanceof DomainError)) throw error;
      return Answer.seeOther(withParameter(redirectTo, 'error', error.error));
    }
  }

  /** For an app that has the id_token from the provider itself. */
  async fromIdToken(
    provider: ProviderName,
    body: IdTokenDto,
    session: string | null,
    visitor: Visitor,
  ): Promise<Tokens> {
    try {
      const identity = await (await this.providers.require(provider)).identify(body.id_token, body.nonce);
      const named = { ...identity, name: identity.name ?? personName(body.name) };
      return await this.answers.of(await this.signIn.open({ identity: named, session }, visitor), body.mode);
    } catch (error) {
      this.failures.note(error, provider, visitor);
      throw error;
    }
  }

  private async signedIn(outcome: FlowOutcome, visitor: Visitor): Promise<Tokens | Answer<undefined>> {
    const { result: identity, redirectTo, codeChallenge, session } = outcome;
    if (identity instanceof Error) throw identity;
    const proof = { identity, session };
    if (redirectTo === null) return this.answers.of(await this.signIn.open(proof, visitor));
    const code = await this.signIn.issueCode(proof, codeChallenge);
    return Answer.seeOther(withParameter(redirectTo, 'code', code));
  }
}
