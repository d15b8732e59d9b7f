import { ROLES, type Role } from '../common/access/role-names.js';
import { gatewaySecret } from './gateway-settings.js';
import { isRole, type DirectoryRoles } from './directory-settings.js';
import { isLoopback, plainAddress, withoutUser } from './values/addresses.js';
import type { SettingReader } from './values/setting-reader.js';

/**
 * What tokens of others may be signed with. Asymmetric algorithms only: with `HS256` anybody who knows the public key could
 * sign.
 */
export const SIGNATURES = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const MAX_ISSUERS = 8;
/** With `jwt:` before it, the name of a provider of identities: 16 characters. */
const NAME = /^[a-z][a-z0-9-]{0,11}$/;
/** The name of the gateway among issuers. */
export const GATEWAY = 'gateway';
const HOUR = 3_600;
const DAY = 86_400;

/** How users of others become users here. */
export type IssuerRules = ReturnType<Entry['rules']>;

/** How users whom a gateway names become users here. */
export type GatewayRules = ReturnType<Entry['gateway']>;

/** A service whose access tokens are taken. */
export type TrustedIssuer = ReturnType<Entry['issuer']>;

/** Users who are signed in elsewhere. */
export type OutsiderSettings = ReturnType<typeof outsiderSettings>;

type Fields = Readonly<Record<string, unknown>>;

const EXAMPLE =
  'TRUSTED_ISSUERS=[{"name":"corp","issuer":"https://id.example.com","audience":"cms","jwks_url":"https://id.example.com/jwks","algorithms":["RS256"],"groups":{"claim":"groups","map":{"cms-admins":"admin"}}}]';

/** Where the tokens of others come in. */
interface Place {
  /** The issuer of the tokens of this service. */
  readonly own: string;
  readonly isProduction: boolean;
}

/** Reads and checks who else may sign users in. */
export function outsiderSettings(reader: SettingReader, place: Place) {
  return {
    /** Services whose access tokens are taken. */
    issuers: trustedIssuers(reader, place),
    /** By what a gateway proves that the user in its headers is its own; `null`: no such header is read. */
    gatewaySecret: gatewaySecret(reader),
    /** How users whom the gateway names become users here. */
    gatewayUsers: gatewayUsers(reader),
  };
}

function trustedIssuers(reader: SettingReader, { own, isProduction }: Place): readonly TrustedIssuer[] {
  const text = reader.text('TRUSTED_ISSUERS');
  if (text === undefined) return [];
  const entries = parsed(text);
  if (entries === null || entries.length > MAX_ISSUERS) {
    reader.fault(`TRUSTED_ISSUERS must be JSON: a list of 1 to ${MAX_ISSUERS} objects: ${EXAMPLE}.`);
    return [];
  }
  const found = entries.map((fields, index) =>
    new Entry(fields, `TRUSTED_ISSUERS, entry ${index + 1}`, reader).issuer(isProduction),
  );
  requireDistinct('name', [...found.map(({ name }) => name), GATEWAY], reader);
  requireDistinct('issuer', [...found.map(({ issuer }) => issuer), own], reader);
  return found;
}

/**
 * Reads how users that the gateway names become users here: `{"groups":{"map":{"cms-admins":"admin"}}}`.
 * `null`: it names none.
 */
function gatewayUsers(reader: SettingReader): GatewayRules | null {
  const text = reader.text('GATEWAY_USERS');
  if (text === undefined) return null;
  const [fields] = parsed(`[${text}]`) ?? [];
  if (fields) return new Entry(fields, 'GATEWAY_USERS', reader).gateway();
  reader.fault('GATEWAY_USERS must be JSON: GATEWAY_USERS={"groups":{"map":{"cms-admins":"admin"}}}.');
  return null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isName = (value: unknown): value is string => isText(value) && NAME.test(value);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
const areSignatures = (value: unknown): value is string[] =>
  areTexts(value) && value.every((name) => (SIGNATURES as readonly string[]).includes(name));
const isAge = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= DAY;
const isWay = (value: unknown): value is 'create' | 'known' => value === 'create' || value === 'known';
const areGroups = (
  value: unknown,
): value is { readonly claim?: string; readonly map?: Readonly<Record<string, Role>> } => {
  const { claim = '', map = {} } = value as { claim?: unknown; map?: unknown };
  return typeof claim === 'string' && typeof map === 'object' && map !== null && Object.values(map).every(isRole);
};
const areScopes = (value: unknown): value is { readonly claim: string; readonly prefix?: string } => {
  const { claim, prefix = '' } = value as { claim?: unknown; prefix?: unknown };
  return isText(claim) && typeof prefix === 'string';
};

/** One object of the setting, field by field. */
class Entry {
  private readonly known = new Set<string>();

  constructor(
    private readonly fields: Fields,
    private readonly place: string,
    private readonly reader: SettingReader,
  ) {}

  issuer(isProduction: boolean) {
    const name = this.needed('name', isName, 'lower-case letters, digits and -, at most 12 characters') ?? '';
    const issuer = this.needed('issuer', isText, 'a text') ?? '';
    const audience = this.needed('audience', isText, 'a text') ?? '';
    const keys = this.keys(isProduction);
    const algorithms = this.needed('algorithms', areSignatures, `some of ${SIGNATURES.join(', ')}`) ?? [];
    return this.finished({
      issuer,
      audience,
      /** Where its public keys are. */
      keys,
      algorithms,
      /** The clients that tokens are taken from; `null`: any. */
      clients: this.field('clients', areTexts, 'a list of texts') ?? null,
      /** The claim that never changes. */
      subject: this.field('subject', isText, 'a text') ?? 'sub',
      /** Where a token names the scopes that it is narrowed to; `null`: it has those of the role. */
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
      /** Whether `Ann` and `ann` are one user: gateways that hand on what was typed let both in with one password. */
      ignoresCase: this.isFlagged('ignore_case'),
      /** Whether the gateway sets the header with the time of the sign-in; otherwise it is the client's, and is not read. */
      saysAuthTime: this.isFlagged('auth_time'),
    });
  }

  rules(name: string) {
    const takes = `{"claim":"groups","map":{"<group>":"${ROLES.join('|')}"}}`;
    const { claim = 'groups', map = {} } = this.field('groups', areGroups, takes) ?? {};
    const otherwise = this.field('default_role', isRole, `null or one of ${ROLES.join(', ')}`) ?? null;
    return {
      /** Names their identities: `jwt:<name>`. */
      name,
      roles: { claim, ofGroup: new Map(Object.entries(map)), otherwise } satisfies DirectoryRoles,
      /** `known`: only those who have an account by this issuer already are let in. */
      accounts: this.field('accounts', isWay, 'create or known') ?? 'create',
      /** Whether the operator vouches for the addresses of this issuer: only then they count as proved. */
      isEmailTrusted: this.isFlagged('email_trusted'),
      /** Whether the operator vouches that users have proved themselves just now: their requests take no other sign-in. */
      isFresh: this.isFlagged('fresh'),
    };
  }

  private isFlagged(name: string): boolean {
    return this.field(name, isFlag, 'true or false') ?? false;
  }

  private keys(isProduction: boolean): { readonly url: string } | { readonly file: string } {
    const file = this.field('jwks_file', isText, 'the path of a file');
    const isAddress = (value: unknown): value is string => isText(value) && isKeyAddress(value, isProduction);
    const takes = 'an https address, or jwks_file the path of a file: one of the two';
    const url = this.field('jwks_url', isAddress, takes);
    if (this.isUnset('jwks_url') === this.isUnset('jwks_file')) this.fault('jwks_url', takes);
    return url === undefined ? { file: file ?? '' } : { url };
  }

  /** A field that must be there. */
  private needed<Value>(name: string, isFit: (value: unknown) => value is Value, takes: string): Value | undefined {
    const value = this.field(name, isFit, takes);
    if (this.isUnset(name)) this.fault(name, takes);
    return value;
  }

  /** A field that may be missing or `null`. @param takes what it must be, for people */
  private field<Value>(name: string, isFit: (value: unknown) => value is Value, takes: string): Value | undefined {
    this.known.add(name);
    if (this.isUnset(name)) return undefined;
    const value = this.fields[name];
    if (isFit(value)) return value;
    this.fault(name, takes);
    return undefined;
  }

  private isUnset(name: string): boolean {
    return (this.fields[name] ?? null) === null;
  }

  private fault(name: string, takes: string): void {
    this.reader.fault(`${this.place}: ${name} must be ${takes}.`);
  }

  /** What was read, once all fields that there are were asked for. */
  private finished<Rules>(rules: Rules): Rules {
    const unknown = Object.keys(this.fields).filter((name) => !this.known.has(name));
    if (unknown.length > 0) {
      this.reader.fault(`${this.place} has ${unknown.join(', ')}; it takes ${[...this.known].join(', ')}.`);
    }
    return rules;
  }
}

/** A list of objects; `null`: it is none, or empty. */
function parsed(text: string): readonly Fields[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.length > 0;
    return isList && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      ? (value as Fields[]) // checked just now
      : null;
  } catch {
    return null;
  }
}

/** What is answered there decides who may come in: the way must not be open to others. */
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
