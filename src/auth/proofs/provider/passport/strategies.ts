import type { Request } from 'express';
import AppleBase from 'passport-apple';
import { Strategy as GoogleBase } from 'passport-google-oauth20';
import OAuth2Strategy from 'passport-oauth2';
import type {
  AppleSettings,
  GoogleSettings,
  OidcSettings,
  ProviderEndpoints,
} from '../../../../config/provider-settings.js';
import { invalidCodeExchange } from '../../../exchange/exchange-codes.js';
import type { FlowStart } from '../flow/flow.js';
import type { Discovered } from '../identity/discovery.js';
import type { IdClaims } from '../identity/id-tokens.js';
import { providerUnavailable } from '../identity/identity-provider.js';
import { neededClaims, PUBLIC_RULES, withUserinfo, type ClaimRules } from '../identity/provider-claims.js';
import { askProvider, type ProviderAnswer } from '../identity/provider-http.js';

type RequestArguments = [method: string, url: string, headers: unknown, body: string, accessToken: unknown, done: Done];
type Done = (error: unknown, answer?: string) => void;

/** Puts our credentials where the provider wants to see them. */
type Authenticate = (form: URLSearchParams) => Readonly<Record<string, string>>;

/** Errors of a token endpoint about a client that it does not know: our fault, not that of the code. */
const CLIENT_ERRORS: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** They stand in the form, where passport-oauth2 has put them. */
const inTheForm: Authenticate = () => ({});

/** @see RFC 6749, 2.3.1 */
function basicAuthentication(clientId: string, clientSecret: string): Authenticate {
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':');
  return (form) => {
    form.delete('client_id');
    form.delete('client_secret');
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  };
}

/** Replaces the transport of the `oauth` package, which has no time limit, follows redirects, and ends the process. */
function limitTokenRequests(oauth2: object, authenticate = inTheForm): void {
  const request = (...[, url, , body, , done]: RequestArguments): void => {
    redeem(url, body, authenticate).then((answer) => {
      done(null, answer);
    }, done);
  };
  Object.assign(oauth2, { _request: request });
}

async function redeem(url: string, body: string, authenticate: Authenticate): Promise<string> {
  const form = new URLSearchParams(body);
  const headers = authenticate(form);
  const answer = await askProvider(url, { method: 'POST', headers, body: form });
  return JSON.stringify(tokensOf(answer));
}

/** @throws {DomainError} `invalid_code_exchange`, `provider_unavailable` */
function tokensOf({ status, body }: ProviderAnswer): object {
  if (status === 200 && typeof body.access_token === 'string' && typeof body.id_token === 'string') return body;
  const reason = new Error(`the token endpoint answered ${status}, error ${JSON.stringify(body.error)}`);
  if (status === 400 && !CLIENT_ERRORS.includes(body.error)) throw invalidCodeExchange(reason);
  throw providerUnavailable(reason);
}

/** The id_token, which passport-apple hands over bare. */
export type TokenResults = string | { readonly id_token: string };

export interface ProviderParts {
  readonly client: Pick<OidcSettings, 'clientId' | 'nativeClientIds'>;
  readonly endpoints: ProviderEndpoints;
  /** True if it names itself to every browser that comes back. */
  readonly sendsIssuer?: boolean;
  /** Rules for its claims, if they differ from provider to provider. */
  readonly rules?: ClaimRules;
  /** @param verify to be called with what the token endpoint answered */
  readonly strategy: (frame: StrategyFrame, verify: Verify) => OAuth2Strategy;
  /** The claims with what the provider says elsewhere only. */
  readonly complete?: (claims: IdClaims, accessToken: string) => Promise<IdClaims>;
}

/** Options of every strategy: where the browser comes back, and how it is recognised. */
interface StrategyFrame {
  readonly callbackURL: string;
  readonly store: OAuth2Strategy.StateStore;
}

/** Called with what the token endpoint answered. The number of parameters decides what passport-oauth2 hands over. */
type Verify = (
  ...given: [
    request: Request,
    accessToken: string,
    refreshToken: string,
    results: TokenResults,
    profile: unknown,
    done: OAuth2Strategy.VerifyCallback,
  ]
) => void;

interface FlowOptions {
  readonly state?: FlowStart;
}

/** The id_token has all that is needed: no profile is asked for. */
const COMMON = { pkce: true, state: true, passReqToCallback: true, skipUserProfile: true } as const;

/** Google has no user sign in again: they choose their account. */
const CHOICE = { prompt: 'select_account', claims: '{"id_token":{"auth_time":{"essential":true}}}' } as const;

class GoogleStrategy extends GoogleBase {
  constructor(settings: GoogleSettings, frame: StrategyFrame, verify: Verify) {
    const { clientId: clientID, clientSecret, authorizationUrl: authorizationURL, tokenUrl: tokenURL } = settings;
    const scope = ['openid', 'email', 'profile'];
    super({ ...COMMON, ...frame, clientID, clientSecret, authorizationURL, tokenURL, scope }, verify as never);
    limitTokenRequests(this._oauth2);
  }

  override authorizationParams(options: FlowOptions): object {
    const { nonce, maxAge } = options.state ?? {};
    return { ...super.authorizationParams(options), nonce, ...(typeof maxAge === 'number' ? CHOICE : {}) };
  }
}

/** As it comes, passport-apple checks no state, and it loops for ever when a user cancels. */
class AppleStrategy extends AppleBase {
  constructor(settings: AppleSettings, frame: StrategyFrame, verify: Verify) {
    const { clientId: clientID, teamId: teamID, keyId: keyID, privateKey: privateKeyString } = settings;
    const { authorizationUrl: authorizationURL, tokenUrl: tokenURL } = settings;
    const client = { clientID, teamID, keyID, privateKeyString, authorizationURL, tokenURL };
    super({ ...COMMON, ...frame, ...client, scope: ['name', 'email'] }, verify);
    limitTokenRequests(this._oauth2);
  }

  /** Without the original's own `state`, by which it would go past our store. */
  override authorizationParams({ state }: FlowOptions): object {
    return { response_mode: 'form_post', nonce: state?.nonce };
  }

  /** Past the original, which merges the body into the query and trips over a `user` that is no JSON. */
  override authenticate(request: Request, options?: unknown): void {
    OAuth2Strategy.prototype.authenticate.call(this, request, options);
  }
}

class OidcStrategy extends OAuth2Strategy {
  constructor(
    { clientId: clientID, clientSecret }: OidcSettings,
    { authorizationUrl: authorizationURL, tokenUrl: tokenURL, isBasic }: Discovered,
    frame: StrategyFrame,
    verify: Verify,
  ) {
    const scope = ['openid', 'email', 'profile'];
    super({ ...COMMON, ...frame, clientID, clientSecret, authorizationURL, tokenURL, scope }, verify);
    limitTokenRequests(this._oauth2, isBasic ? basicAuthentication(clientID, clientSecret) : undefined);
  }

  override authorizationParams({ state }: FlowOptions): object {
    const { nonce, maxAge } = state ?? {};
    // Providers that know only one of the two have the user sign in again as well.
    return { nonce, ...(typeof maxAge === 'number' ? { max_age: maxAge, prompt: 'login' } : {}) };
  }
}

export function googleParts(google: GoogleSettings): ProviderParts {
  return {
    client: google,
    endpoints: google,
    rules: { ...PUBLIC_RULES, domains: google.domains },
    strategy: (frame, verify) => new GoogleStrategy(google, frame, verify),
  };
}

export function appleParts(apple: AppleSettings): ProviderParts {
  return {
    client: apple,
    endpoints: apple,
    strategy: (frame, verify) => new AppleStrategy(apple, frame, verify),
  };
}

export function oidcParts(oidc: OidcSettings, found: Discovered): ProviderParts {
  return {
    client: oidc,
    endpoints: found,
    sendsIssuer: found.sendsIssuer,
    rules: oidc,
    strategy: (frame, verify) => new OidcStrategy(oidc, found, frame, verify),
    complete: (claims, accessToken) => withUserinfo(claims, neededClaims(oidc), found.userinfoUrl, accessToken),
  };
}
