import type { ProviderEndpoints } from '../../../../config/provider-settings.js';
import { providerUnavailable } from './identity-provider.js';
import { askProvider } from './provider-http.js';

export interface Discovered extends ProviderEndpoints {
  readonly userinfoUrl: string | null;
  /** True if our secret goes into a header rather than into the form. */
  readonly isBasic: boolean;
  /** True if it names itself to every browser that comes back. @see RFC 9207 */
  readonly sendsIssuer: boolean;
}

const LIFE_MS = 600_000;

/** Finds the endpoints of one provider, and caches them for ten minutes. */
export class Discovery {
  private known: Discovered | undefined;
  private freshUntil = Number.NEGATIVE_INFINITY;
  private asking: Promise<Discovered> | undefined;

  constructor(private readonly issuer: string) {}

  /** @throws {DomainError} `provider_unavailable` @see OpenID Connect Discovery 1.0, section 4 */
  async find(): Promise<Discovered> {
    if (this.known && performance.now() < this.freshUntil) return this.known;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<Discovered> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { status, body } = await askProvider(url);
    if (status !== 200) throw providerUnavailable(new Error(`${url} answered ${status}`));
    const found = this.discovered(body);
    // One that says the same is the same: a strategy is made for each, and Passport never forgets one.
    if (JSON.stringify(found) !== JSON.stringify(this.known)) this.known = found;
    this.freshUntil = performance.now() + LIFE_MS;
    return this.known ?? found;
  }

  private discovered(document: Readonly<Record<string, unknown>>): Discovered {
    // The document of another issuer would let that issuer sign in any user.
    if (document.issuer !== this.issuer) throw providerUnavailable(new Error(`the document is not of ${this.issuer}`));
    return {
      issuers: [this.issuer],
      authorizationUrl: this.endpoint(document, 'authorization_endpoint'),
      tokenUrl: this.endpoint(document, 'token_endpoint'),
      jwksUrl: this.endpoint(document, 'jwks_uri'),
      userinfoUrl: document.userinfo_endpoint === undefined ? null : this.endpoint(document, 'userinfo_endpoint'),
      isBasic: isBasic(document.token_endpoint_auth_methods_supported),
      sendsIssuer: document.authorization_response_iss_parameter_supported === true,
    };
  }

  /** At least as safe as the address of the document itself. */
  private endpoint(document: Readonly<Record<string, unknown>>, name: string): string {
    const text = document[name];
    const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
    const isSafe = url?.protocol === 'https:' || url?.protocol === new URL(this.issuer).protocol;
    if (!url || !isSafe) throw providerUnavailable(new Error(`${name} of ${this.issuer} is no address`));
    return url.href;
  }
}

/** True if a provider takes our secret in a header, which is the default. */
function isBasic(methods: unknown): boolean {
  return !Array.isArray(methods) || methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
}
