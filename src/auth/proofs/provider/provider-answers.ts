import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Audit } from '../../../audit/audit.js';
import { visitorOf, type Visitor } from '../../../common/access/visitor.js';
import { ERROR_STATUS } from '../../../common/errors/catalogue.js';
import { DomainError, type FailurePageParts } from '../../../common/errors/domain-error.js';
import { Answer } from '../../../common/http/answer.js';
import type { ServiceRequest } from '../../../common/http/request-context.js';
import { queryOf } from '../../../common/http/url-query.js';
import { LOG } from '../../../common/logging/logging.module.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import { Settings } from '../../../config/settings.js';
import { ExchangeCodes } from '../../exchange/exchange-codes.js';
import { withParameter } from '../../exchange/redirect-targets.js';
import { maskedAddress } from '../../pages/own-pages.js';
import { SignInAnswers, type TokenAnswer, type TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { returned, type Flow, type FlowOutcome } from './flow/flow.js';
import { providerSession } from './identity/identities.js';
import {
  type PresentedSession,
  type ProviderIdentity,
  type ProviderProof,
  invalidState,
} from './identity/identity-provider.js';
import { personName } from './identity/provider-claims.js';
import { AccountResolver } from './linking/account-linking.js';
import { IdentityProviders } from './passport/identity-providers.js';

/** Signing in with what a provider has proved. Throws what {@link AccountResolver.use} throws. */
@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly accounts: AccountResolver,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly settings: Settings,
  ) {}

  /** @param wasAsked whether the provider was to have the user sign in again */
  async open(proof: ProviderProof, wasAsked: boolean): Promise<OpenedSession> {
    const { identity, visitor } = proof;
    const { provider } = identity;
    const means = { provider, ...this.meansOf(identity, wasAsked) };
    return this.accounts.use(proof, (manager, account) =>
      this.sessions.open(manager, { account, event: 'provider.sign_in', visitor, ...means }),
    );
  }

  /** A one-time code for the page that a browser goes back to, which is exchanged for the session. */
  async issueCode(
    proof: ProviderProof,
    { codeChallenge, maxAge }: Pick<Flow, 'codeChallenge' | 'maxAge'>,
  ): Promise<string> {
    const { identity, visitor } = proof;
    const means = this.meansOf(identity, maxAge !== null);
    return this.accounts.use(proof, (manager, account) =>
      this.codes.issue(manager, {
        userId: account.id,
        codeChallenge,
        isKnownDevice: this.sessions.isKnownDevice(account, visitor),
        ...means,
      }),
    );
  }

  private meansOf(identity: ProviderIdentity, wasAsked: boolean) {
    const { provider, authTime, issuedAt } = identity;
    const ofChoice = wasAsked && isChoiceEnough(this.settings, provider) ? issuedAt : 0;
    return { amr: [provider], providerSid: providerSession(identity), authTime: authTime ?? ofChoice };
  }
}

const OWN_WAYS = ['password', 'otp', 'magic-link'] as const;

/**
 * True if a sign-in counts as fresh although the provider does not say when the user has signed in. Google and Apple have no
 * user sign in again: that they were asked to choose counts if nothing else can.
 *
 * @see OpenID Connect Core 1.0, section 3.1.2.1, and RFC 9470
 */
function isChoiceEnough({ signIn }: Settings, provider: ProviderName): boolean {
  return provider !== 'oidc' && !OWN_WAYS.some((way) => signIn.methods.has(way));
}

type Tokens = TokenAnswer | Answer<TokenAnswer>;

/** The user, as far as they are known, and the way to try once more. */
function pageOf({ result, again }: FlowOutcome): FailurePageParts {
  const email = result instanceof Error ? null : result.email;
  return {
    ...(email ? { address: maskedAddress(email.address) } : {}),
    ...(again === null ? {} : { way: { href: again, label: 'Begin again' } }),
  };
}

interface ShownIdToken extends TokenModeDto {
  readonly id_token: string;
  readonly nonce: string;
  readonly name?: string;
}

/** Answers to browsers that come back from a provider, and to apps. */
@Injectable()
export class ProviderAnswers {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly signIn: ProviderSignInService,
    private readonly answers: SignInAnswers,
    private readonly audit: Audit,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Takes a browser back with tokens or, if the sign-in leads elsewhere, with a one-time code or the name of an error. */
  async comeBack(name: ProviderName, request: ServiceRequest): Promise<Tokens | Answer<undefined>> {
    const answer = returned(queryOf(request));
    const outcome = await (await this.providers.require(name)).comeBack(request, answer);
    const visitor = visitorOf(request);
    try {
      return await this.signedIn(outcome, visitor);
    } catch (error) {
      this.note(error, name, visitor);
      if (!(error instanceof DomainError)) throw error;
      const redirectTo = outcome.flow?.redirectTo ?? null;
      if (redirectTo === null) throw error.withPage(pageOf(outcome));
      return Answer.seeOther(withParameter(redirectTo, 'error', error.error));
    }
  }

  async fromIdToken(
    provider: ProviderName,
    shown: ShownIdToken,
    session: PresentedSession | null,
    visitor: Visitor,
  ): Promise<Tokens> {
    try {
      const identity = await (await this.providers.require(provider)).identify(shown.id_token, shown.nonce);
      const named = { ...identity, name: identity.name ?? personName(shown.name) };
      return await this.answers.of(await this.signIn.open({ identity: named, session, visitor }, false), shown.mode);
    } catch (error) {
      this.note(error, provider, visitor);
      throw error;
    }
  }

  /** Browsers get the name of the failure in an address: only the log says that a provider is out of order. */
  private note(error: unknown, provider: ProviderName, visitor: Visitor): void {
    if (!(error instanceof DomainError)) return;
    this.audit.note({ event: 'provider.sign_in', outcome: 'failure', provider, reason: error.error, visitor });
    const isOurs = ERROR_STATUS[error.error] >= 500;
    if (isOurs) this.log.warn({ request_id: visitor.requestId, provider, err: error.cause }, error.message);
  }

  private async signedIn({ result: identity, flow }: FlowOutcome, visitor: Visitor) {
    if (identity instanceof Error) throw identity;
    if (!flow) throw invalidState();
    const { redirectTo, session, maxAge } = flow;
    const proof = { identity, session, visitor: { ...visitor, device: visitor.device ?? flow.device } };
    if (redirectTo === null) return this.answers.of(await this.signIn.open(proof, maxAge !== null));
    return Answer.seeOther(withParameter(redirectTo, 'code', await this.signIn.issueCode(proof, flow)));
  }
}
