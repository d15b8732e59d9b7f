import { invalidCodeExchange } from '../../../exchange/exchange.errors.js';
import { providerUnavailable } from '../identity/provider.errors.js';
import { askProvider, type ProviderAnswer } from '../identity/provider-http.js';

type RequestArguments = [method: string, url: string, headers: unknown, body: string, accessToken: unknown, done: Done];
type Done = (error: unknown, answer?: string) => void;

/** Puts our credentials where the provider wants to see them. */
type Authenticate = (form: URLSearchParams) => Readonly<Record<string, string>>;

/** What a token endpoint says of a client that it does not know: our fault, not that of the code. */
const CLIENT_ERRORS: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** They stand in the form, where passport-oauth2 has put them. */
const inTheForm: Authenticate = () => ({});

/** @see RFC 6749, 2.3.1 */
export function basicAuthentication(clientId: string, clientSecret: string): Authenticate {
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':');
  return (form) => {
    form.delete('client_id');
    form.delete('client_secret');
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  };
}

/**
 * Replaces the transport of the `oauth` package: it has no time limit, follows redirects, and answers that are no JSON
 * end the process in passport-apple.
 */
export function limitTokenRequests(oauth2: object, authenticate = inTheForm): void {
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
