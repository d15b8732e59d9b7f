import type { Request } from 'express';
import {
  type StateStore,
  type Metadata,
  type StateStoreStoreCallback,
  type Strategy,
  type VerifyCallback,
  InternalOAuthError,
} from 'passport-oauth2';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { FlowCookies } from '../flow/flow-cookies.js';
import type { Flow, FlowOutcome, FlowStart, Returned } from '../flow/flow.js';
import type { IdTokens } from '../identity/id-tokens.js';
import {
  type ProviderIdentity,
  type ProviderLogout,
  asError,
  invalidState,
  providerUnavailable,
} from '../identity/identity-provider.js';
import { appleName, identityOf } from '../identity/provider-claims.js';
import type { ProviderParts, TokenResults } from './strategies.js';

/** All that passport-oauth2 reads of a request here: the checked parameters. */
interface Attempt {
  readonly query: Pick<Returned, 'code' | 'state'>;
  readonly request: Request;
  /** Flow that the browser says it has begun. */
  readonly begun: Flow | null;
  /** The same, once it is ended. */
  flow: Flow | null;
}

/** Errors of providers about a user who cancels the sign-in. */
const CANCELLED = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'login_required']);

/** An identity provider behind a strategy of Passport. */
export class PassportProvider {
  private readonly strategy: Strategy;

  constructor(
    readonly name: ProviderName,
    private readonly parts: ProviderParts,
    private readonly idTokens: IdTokens,
    private readonly cookies: FlowCookies,
    callbackURL: string,
  ) {
    // The types of passport-oauth2 do not know the form of a store that takes the PKCE verifier.
    const store: unknown = new FlowStateStore(name, cookies);
    this.strategy = parts.strategy(
      { callbackURL, store: store as StateStore },
      // eslint-disable-next-line @typescript-eslint/max-params -- passport-oauth2 counts them
      (attempt, accessToken, _refreshToken, results, _profile, done) => {
        // Passport hands on what it was given.
        this.verify(attempt as unknown as Attempt, accessToken, results, done);
      },
    );
  }

  /** Begins a sign-in, which the browser keeps as a cookie. @returns the address of the provider */
  async redirect(request: Request, start: FlowStart): Promise<string> {
    const query = { code: null, state: null };
    return (await this.authenticate({ query, request, begun: null, flow: null }, start)) as string;
  }

  /** Takes a browser back that comes from the provider, and redeems its code. */
  async comeBack(request: Request, answer: Returned): Promise<FlowOutcome> {
    const begun = await this.cookies.find(request, this.name, answer.state ?? '');
    const attempt: Attempt = { query: { code: answer.code, state: answer.state }, request, begun, flow: null };
    const result = await this.redeem(attempt, answer).catch(asError);
    return { result, flow: attempt.flow, again: again(begun) };
  }

  /** The person of an id_token that an app shows. @throws {DomainError} `invalid_id_token`, `provider_unavailable` */
  async identify(idToken: string, nonce: string): Promise<ProviderIdentity> {
    const { clientId, nativeClientIds } = this.parts.client;
    const audience = nativeClientIds.length > 0 ? nativeClientIds : [clientId];
    const claims = await this.idTokens.verify(idToken, { audience, nonces: [nonce, hashOf(nonce)] });
    // Its signature can be written in several ways; what is signed cannot.
    return identityOf(this.name, claims, idToken.slice(0, idToken.lastIndexOf('.')), this.parts.rules);
  }

  /** @throws {DomainError} `invalid_logout_token`, `provider_unavailable` */
  async logout(logoutToken: string): Promise<ProviderLogout> {
    const { clientId, nativeClientIds } = this.parts.client;
    return { provider: this.name, ...(await this.idTokens.verifyLogout(logoutToken, [clientId, ...nativeClientIds])) };
  }

  private async redeem(attempt: Attempt, { error, issuer, user }: Returned): Promise<ProviderIdentity> {
    const { endpoints, sendsIssuer } = this.parts;
    // Otherwise a code of one provider could be redeemed at another one, or its error end a flow there. See RFC 9207.
    const isRight = issuer === null ? sendsIssuer !== true : endpoints.issuers.includes(issuer);
    if (!isRight) throw invalidState(new Error(`another provider answered: ${JSON.stringify(issuer)}`));
    if (error !== null) throw this.refusal(attempt, error);
    const identity = (await this.authenticate(attempt)) as ProviderIdentity;
    return this.name === 'apple' ? { ...identity, name: identity.name ?? appleName(user) } : identity;
  }

  /** The provider sent the browser back without a code. Where to, only a flow of this very browser says. */
  private refusal(attempt: Attempt, error: string): Error {
    endFlow(attempt, this.name, this.cookies);
    if (CANCELLED.has(error)) {
      const message = 'The sign-in was cancelled at the provider. Begin it again to try once more.';
      return new DomainError('access_denied', message);
    }
    // Such an address can be typed: the provider may have said nothing.
    if (!attempt.flow) return invalidState();
    return providerUnavailable(new Error(`the provider sent the error ${JSON.stringify(error)}`));
  }

  /** As Passport does, by a strategy of its own for each browser, since the outcome hangs on it. */
  private authenticate(attempt: Attempt, state?: FlowStart): Promise<string | ProviderIdentity> {
    return new Promise((resolve, reject) => {
      const outcome = {
        redirect: resolve,
        success: resolve,
        fail: () => {
          reject(invalidState());
        },
        error: (error: unknown) => {
          reject(asError(reasonOf(error)));
        },
      };
      const strategy = Object.assign(Object.create(this.strategy) as Strategy, outcome);
      strategy.authenticate(attempt as unknown as Request, { state });
    });
  }

  private verify(attempt: Attempt, accessToken: string, results: TokenResults, done: VerifyCallback): void {
    const idToken = typeof results === 'string' ? results : results.id_token;
    this.identityFrom(attempt, accessToken, idToken).then((identity) => {
      done(null, identity);
    }, done);
  }

  private async identityFrom({ flow }: Attempt, accessToken: string, idToken: string): Promise<ProviderIdentity> {
    if (!flow) throw invalidState();
    const { client, complete, rules } = this.parts;
    const claims = await this.idTokens.verify(idToken, { audience: [client.clientId], nonces: [flow.nonce] });
    return identityOf(this.name, complete ? await complete(claims, accessToken) : claims, flow.nonce, rules);
  }
}

function endFlow(attempt: Attempt, provider: ProviderName, cookies: FlowCookies): void {
  if (attempt.begun) cookies.end(attempt.request, provider);
  attempt.flow = attempt.begun;
}

/** The address to begin a sign-in again, relative to that of its end. A flow that links an identity has none. */
function again(flow: Flow | null): string | null {
  if (flow?.session !== null) return null;
  const { redirectTo, codeChallenge, maxAge } = flow;
  const query = new URLSearchParams({
    ...(redirectTo === null ? {} : { redirect_to: redirectTo }),
    ...(codeChallenge === null ? {} : { code_challenge: codeChallenge }),
    ...(maxAge === null ? {} : { max_age: String(maxAge) }),
  });
  return query.size === 0 ? 'redirect' : `redirect?${query.toString()}`;
}

/** passport-oauth2 wraps what failed at the token endpoint. */
function reasonOf(error: unknown): unknown {
  if (!(error instanceof InternalOAuthError)) return error;
  const reason: unknown = error.oauthError;
  return reason instanceof DomainError ? reason : providerUnavailable(reason);
}

type Verified = (error: unknown, verifier?: string | false, flow?: unknown) => void;

/**
 * Keeps `state` and the PKCE verifier of passport-oauth2 in a cookie. The number of parameters of its methods says what it
 * can do, so each has to stay as it is.
 */
class FlowStateStore {
  constructor(
    private readonly provider: ProviderName,
    private readonly cookies: FlowCookies,
  ) {}

  store({ request }: Attempt, verifier: string, start: FlowStart, _: Metadata, stored: StateStoreStoreCallback): void {
    this.cookies.begin(request, this.provider, start, verifier).then(
      ({ state }) => {
        stored(null, state);
      },
      (error: unknown) => {
        stored(asError(error), null);
      },
    );
  }

  verify(attempt: Attempt, _state: string, _: Metadata, verified: Verified): void {
    endFlow(attempt, this.provider, this.cookies);
    verified(null, attempt.flow?.verifier ?? false);
  }
}
