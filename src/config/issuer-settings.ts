import { gatewaySecret } from './gateway-settings.js';
import { isText, JsonEntry, objectIn, objectsIn } from './json-entry.js';
import { isLoopback, plainAddress, withoutUser } from './values/addresses.js';
import type { SettingReader } from './values/setting-reader.js';

/** Asymmetric algorithms for tokens of others: with `HS256` anybody who knows the public key could sign. */
export const SIGNATURES = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const MAX_ISSUERS = 8;
/** With `jwt:` before it, the name of a provider of identities: 16 characters. */
const NAME = /^[a-z][a-z0-9-]{0,11}$/;
export const GATEWAY = 'gateway';
const HOUR = 3_600;
const DAY = 86_400;

export type IssuerRules = ReturnType<UsersEntry['rules']>;

export type GatewayRules = ReturnType<UsersEntry['gateway']>;

export type TrustedIssuer = ReturnType<UsersEntry['issuer']>;

export type OutsiderSettings = ReturnType<typeof outsiderSettings>;

const EXAMPLE =
  'TRUSTED_ISSUERS=[{"name":"corp","issuer":"https://id.example.com","audience":"cms","jwks_url":"https://id.example.com/jwks","algorithms":["RS256"],"groups":{"claim":"groups","map":{"cms-admins":"admin"}}}]';

interface OwnService {
  readonly own: string;
  readonly isProduction: boolean;
}

export function outsiderSettings(reader: SettingReader, service: OwnService) {
  return {
    issuers: trustedIssuers(reader, service),
    /** By what a gateway proves that the user in its headers is its own; `null`: no such header is read. */
    gatewaySecret: gatewaySecret(reader),
    gatewayUsers: gatewayUsers(reader),
  };
}

function trustedIssuers(reader: SettingReader, { own, isProduction }: OwnService): readonly TrustedIssuer[] {
  const text = reader.text('TRUSTED_ISSUERS');
  if (text === undefined) return [];
  const entries = objectsIn(text);
  if (entries === null || entries.length > MAX_ISSUERS) {
    reader.fault(`TRUSTED_ISSUERS must be JSON: a list of 1 to ${MAX_ISSUERS} objects: ${EXAMPLE}.`);
    return [];
  }
  const found = entries.map((fields, index) =>
    new UsersEntry(fields, `TRUSTED_ISSUERS, entry ${index + 1}`, reader).issuer(isProduction),
  );
  requireDistinct('name', [...found.map(({ name }) => name), GATEWAY], reader);
  requireDistinct('issuer', [...found.map(({ issuer }) => issuer), own], reader);
  return found;
}

/** Reads how users of the gateway become users here: `{"groups":{"map":{"cms-admins":"admin"}}}`; `null`: it names none. */
function gatewayUsers(reader: SettingReader): GatewayRules | null {
  const text = reader.text('GATEWAY_USERS');
  if (text === undefined) return null;
  const fields = objectIn(text);
  if (fields) return new UsersEntry(fields, 'GATEWAY_USERS', reader).gateway();
  reader.fault('GATEWAY_USERS must be JSON: GATEWAY_USERS={"groups":{"map":{"cms-admins":"admin"}}}.');
  return null;
}

const isName = (value: unknown): value is string => isText(value) && NAME.test(value);
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
const areSignatures = (value: unknown): value is string[] =>
  areTexts(value) && value.every((name) => (SIGNATURES as readonly string[]).includes(name));
const isAge = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= DAY;
const isWay = (value: unknown): value is 'create' | 'known' => value === 'create' || value === 'known';
const areScopes = (value: unknown): value is { readonly claim: string; readonly prefix?: string } => {
  const { claim, prefix = '' } = value as { claim?: unknown; prefix?: unknown };
  return isText(claim) && typeof prefix === 'string';
};

/** Users of others: an entry of `TRUSTED_ISSUERS`, or `GATEWAY_USERS`. */
class UsersEntry extends JsonEntry {
  issuer(isProduction: boolean) {
    const name = this.needed('name', isName, 'lower-case letters, digits and -, at most 12 characters') ?? '';
    const issuer = this.needed('issuer', isText, 'a text') ?? '';
    const audience = this.needed('audience', isText, 'a text') ?? '';
    const keys = this.keys(isProduction);
    const algorithms = this.needed('algorithms', areSignatures, `some of ${SIGNATURES.join(', ')}`) ?? [];
    return this.finished({
      issuer,
      audience,
      keys,
      algorithms,
      /** The clients that tokens are taken from; `null`: any. */
      clients: this.field('clients', areTexts, 'a list of texts') ?? null,
      /** The claim that never changes. */
      subject: this.field('subject', isText, 'a text') ?? 'sub',
      /** The claim with the scopes that a token is narrowed to; `null`: it has those of the role. */
      scopes: this.scopes(),
      /** Older tokens are refused, seconds. */
      maxAgeSeconds: this.field('max_age', isAge, `a whole number of seconds from 1 to ${DAY}`) ?? HOUR,
      ...this.rules(name),
    });
  }

  private scopes() {
    const scopes = this.field('scopes', areScopes, '{"claim":"scope","prefix":"cms:"}');
    return scopes ? { prefix: '', ...scopes } : null;
  }

  gateway() {
    return this.finished({
      ...this.rules(GATEWAY),
      /** True if `Ann` and `ann` are one user: gateways that hand on what was typed let both in with one password. */
      ignoresCase: this.isFlagged('ignore_case'),
      /** True if the gateway sets the header with the time of the sign-in; otherwise it is the client's, and is not read. */
      saysAuthTime: this.isFlagged('auth_time'),
    });
  }

  rules(name: string) {
    return {
      name,
      roles: this.roles(),
      /** `known`: only those who have an account by this issuer already are let in. */
      accounts: this.field('accounts', isWay, 'create or known') ?? 'create',
      /** True if the operator vouches for the addresses of this issuer: only then they count as proved. */
      isEmailTrusted: this.isFlagged('email_trusted'),
      /** True if the operator vouches that users have proved themselves just now: their requests take no other sign-in. */
      isFresh: this.isFlagged('fresh'),
    };
  }

  private keys(isProduction: boolean): { readonly url: string } | { readonly file: string } {
    const file = this.field('jwks_file', isText, 'the path of a file');
    const isAddress = (value: unknown): value is string => isText(value) && isKeyAddress(value, isProduction);
    const takes = 'an https address, or jwks_file the path of a file: one of the two';
    const url = this.field('jwks_url', isAddress, takes);
    if (this.isUnset('jwks_url') === this.isUnset('jwks_file')) this.fault('jwks_url', takes);
    return url === undefined ? { file: file ?? '' } : { url };
  }
}

/** True for an address of keys that others cannot change on the way: the keys decide who may come in. */
function isKeyAddress(text: string, isProduction: boolean): boolean {
  const url = plainAddress(text);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname) || !isProduction);
}

function requireDistinct(field: string, texts: readonly string[], reader: SettingReader): void {
  const repeated = texts.filter((text, index) => text !== '' && texts.indexOf(text) < index);
  if (repeated.length > 0) {
    reader.fault(
      `TRUSTED_ISSUERS has the ${field} ${[...new Set(repeated.map(withoutUser))].join(', ')} twice, or it is the service's own.`,
    );
  }
}
