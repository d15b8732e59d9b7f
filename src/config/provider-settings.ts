import { createPrivateKey } from 'node:crypto';
import { directorySettings, type DirectorySettings } from './directory-settings.js';
import { withoutUser } from './urls/without-user.js';
import { isLoopback } from './values/loopback.js';
import { list, oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

export const PROVIDER_NAMES = ['google', 'apple', 'oidc'] as const;
/** A service that proves who a user is. */
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Where a provider is reached. */
export interface ProviderEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Where its public keys are. */
  readonly jwksUrl: string;
  /** Names that it may give itself in an id_token. */
  readonly issuers: readonly string[];
}

interface Client {
  /** What the provider calls this service. */
  readonly clientId: string;
  /** What it calls the apps whose id_tokens are taken, too. */
  readonly nativeClientIds: readonly string[];
}

export interface GoogleSettings extends Client, ProviderEndpoints {
  readonly clientSecret: string;
  /** The operator's own domains there, in lower case: their addresses link any account. */
  readonly domains: readonly string[];
  /** Whether the choice of an account there that was asked for counts as a fresh sign-in. */
  readonly isChoiceFresh: boolean;
}

export interface AppleSettings extends Client, ProviderEndpoints {
  readonly teamId: string;
  readonly keyId: string;
  /** PKCS #8 in PEM, on the curve P-256. */
  readonly privateKey: string;
}

/** A provider that publishes its endpoints itself. */
export interface OidcSettings extends Client, DirectorySettings {
  readonly issuer: string;
  readonly clientSecret: string;
}

/** Sign-in with identity providers; `null`: not set up. */
export interface ProviderSettings {
  readonly google: GoogleSettings | null;
  readonly apple: AppleSettings | null;
  readonly oidc: OidcSettings | null;
  /** Addresses that a sign-in may lead back to, exactly as they are asked for. */
  readonly redirectAllowList: readonly string[];
}

/** Whether people can sign in with a provider: it is set up, and not by what stands in its place outside of production. */
export function isSetUp(name: ProviderName, providers: ProviderSettings): boolean {
  const clientId = providers[name]?.clientId;
  return clientId !== undefined && !Object.values(PLACEHOLDERS).includes(clientId);
}

/** Whose the identities of the OpenID Connect provider are; empty: there is no such provider. */
export function oidcIssuer({ oidc }: ProviderSettings): string {
  return oidc?.issuer ?? '';
}

type Environment = Readonly<Record<string, string | undefined>>;

const GOOGLE: ProviderEndpoints = {
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
};

const APPLE: ProviderEndpoints = {
  authorizationUrl: 'https://appleid.apple.com/auth/authorize',
  tokenUrl: 'https://appleid.apple.com/auth/token',
  jwksUrl: 'https://appleid.apple.com/auth/keys',
  issuers: ['https://appleid.apple.com', 'https://account.apple.com'],
};

const EXAMPLES = {
  GOOGLE_CLIENT_ID: '1234567890-abc.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: '<secret>',
  APPLE_CLIENT_ID: 'com.example.cms',
  APPLE_TEAM_ID: 'A1B2C3D4E5',
  APPLE_KEY_ID: 'F6G7H8I9J0',
  APPLE_PRIVATE_KEY: '"-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----"',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'cms',
  OIDC_CLIENT_SECRET: '<secret>',
} as const;
type Credential = keyof typeof EXAMPLES;

/** Not for production: with these a sign-in can be begun, to see that it is there, and never ends well. */
const PLACEHOLDERS: Environment = {
  GOOGLE_CLIENT_ID: 'placeholder.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'placeholder',
  APPLE_CLIENT_ID: 'com.example.placeholder',
  APPLE_TEAM_ID: 'PLACEHOLDR',
  APPLE_KEY_ID: 'PLACEHOLDR',
  APPLE_PRIVATE_KEY: 'placeholder',
};

const MAX_ISSUER = 255;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;
/** Anyone can have an address there. */
const OPEN_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Schemes of apps have a dot (RFC 8252, 7.1), so neither `javascript:` nor `data:` can be among them. */
const REDIRECT_SCHEME = /^(?:https?|[a-z][a-z0-9+-]*\.[a-z0-9+.-]*):$/;

/** Reads and checks everything about identity providers. What does not fit is added to the faults. */
export function providerSettings(env: Environment, isProduction: boolean, faults: SettingFaults): ProviderSettings {
  const reader = new ProviderReader(env, isProduction, faults);
  return {
    google: reader.google(),
    apple: reader.apple(),
    oidc: reader.oidc(),
    redirectAllowList: redirectAllowList(env.REDIRECT_ALLOW_LIST, faults),
  };
}

class ProviderReader {
  constructor(
    private readonly env: Environment,
    private readonly isProduction: boolean,
    private readonly faults: SettingFaults,
  ) {}

  google(): GoogleSettings | null {
    const found = this.credentials('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
    return (
      found && {
        clientId: found.GOOGLE_CLIENT_ID,
        clientSecret: found.GOOGLE_CLIENT_SECRET,
        nativeClientIds: list(this.env.GOOGLE_NATIVE_CLIENT_IDS),
        domains: this.ownDomains(),
        isChoiceFresh: oneOf('GOOGLE_FRESH', ['true', 'false'], this.env.GOOGLE_FRESH, 'false', this.faults) === 'true',
        ...this.endpoints('GOOGLE', GOOGLE),
      }
    );
  }

  apple(): AppleSettings | null {
    const found = this.credentials('APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY');
    return (
      found && {
        clientId: found.APPLE_CLIENT_ID,
        teamId: found.APPLE_TEAM_ID,
        keyId: found.APPLE_KEY_ID,
        privateKey: this.privateKey(found.APPLE_PRIVATE_KEY),
        nativeClientIds: list(this.env.APPLE_NATIVE_CLIENT_IDS),
        ...this.endpoints('APPLE', APPLE),
      }
    );
  }

  oidc(): OidcSettings | null {
    const found = this.credentials('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
    return (
      found && {
        issuer: this.issuer(found.OIDC_ISSUER),
        clientId: found.OIDC_CLIENT_ID,
        clientSecret: found.OIDC_CLIENT_SECRET,
        nativeClientIds: list(this.env.OIDC_NATIVE_CLIENT_IDS),
        ...directorySettings(this.env, this.faults),
      }
    );
  }

  private ownDomains(): readonly string[] {
    const domains = list(this.env.GOOGLE_DOMAINS?.toLowerCase());
    for (const domain of domains.filter((one) => !DOMAIN.test(one) || OPEN_DOMAINS.has(one))) {
      this.faults.add(
        `GOOGLE_DOMAINS has "${domain}" and takes domains of your own at Google Workspace: GOOGLE_DOMAINS=corp.example.`,
      );
    }
    return domains;
  }

  /** All of them or none: half of a client is a mistake. */
  private credentials<Name extends Credential>(...names: Name[]): Record<Name, string> | null {
    const missing = names.filter((name) => this.env[name] === undefined);
    if (missing.length === names.length) return this.placeholders(names);
    for (const name of missing) {
      const others = names.filter((other) => !missing.includes(other)).join(' and ');
      this.faults.add(`${name} is not set, and ${others} is. Set it too: ${name}=${EXAMPLES[name]}.`);
    }
    return values(names, this.env);
  }

  private placeholders<Name extends Credential>(names: readonly Name[]): Record<Name, string> | null {
    const exist = !this.isProduction && names.every((name) => PLACEHOLDERS[name] !== undefined);
    return exist ? values(names, PLACEHOLDERS) : null;
  }

  private endpoints(prefix: 'GOOGLE' | 'APPLE', usual: ProviderEndpoints): ProviderEndpoints {
    const url = (name: string, fallback: string): string => this.url(name, this.env[name] ?? fallback);
    const issuers = list(this.env[`${prefix}_ISSUERS`]);
    return {
      authorizationUrl: url(`${prefix}_AUTHORIZATION_URL`, usual.authorizationUrl),
      tokenUrl: url(`${prefix}_TOKEN_URL`, usual.tokenUrl),
      jwksUrl: url(`${prefix}_JWKS_URL`, usual.jwksUrl),
      issuers: issuers.length > 0 ? issuers : usual.issuers,
    };
  }

  /** It is kept with each identity. */
  private issuer(text: string): string {
    if (text.length > MAX_ISSUER) {
      this.faults.add(`OIDC_ISSUER has ${text.length} characters and may have ${MAX_ISSUER} at most.`);
    }
    return this.url('OIDC_ISSUER', text);
  }

  private url(name: string, text: string): string {
    if (!isPlainUrl(text)) {
      this.faults.add(
        `${name} is "${withoutUser(text)}" and must be an https address: ${name}=https://login.example.com.`,
      );
    } else if (this.isProduction && !isPrivate(new URL(text))) {
      this.faults.add(
        `${name} is "${withoutUser(text)}": over plain http anybody on the way could sign in. Use https.`,
      );
    }
    return text;
  }

  /** A PEM text on one line, with `\n` for the ends of lines, is what most places that hold settings make of it. */
  private privateKey(text: string): string {
    const pem = text.replaceAll('\\n', '\n');
    if (text !== PLACEHOLDERS.APPLE_PRIVATE_KEY && !isP256(pem)) {
      this.faults.add(
        `APPLE_PRIVATE_KEY is no private key on P-256. Use the .p8 file of Apple: APPLE_PRIVATE_KEY=${EXAMPLES.APPLE_PRIVATE_KEY}.`,
      );
    }
    return pem;
  }
}

function values<Name extends string>(names: readonly Name[], from: Environment): Record<Name, string> {
  const entries = names.map((name) => [name, from[name] ?? '']);
  return Object.fromEntries(entries) as Record<Name, string>; // one entry for each of the names
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

function isP256(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function redirectAllowList(text: string | undefined, faults: SettingFaults): string[] {
  const entries = list(text);
  for (const entry of entries.filter((one) => !isRedirectTarget(one))) {
    faults.add(
      `REDIRECT_ALLOW_LIST has "${withoutUser(entry)}" and takes whole addresses: ` +
        'REDIRECT_ALLOW_LIST=https://console.example.com/signed-in,com.example.app:/signed-in.',
    );
  }
  return entries;
}

function isRedirectTarget(text: string): boolean {
  if (text.includes('*') || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return REDIRECT_SCHEME.test(protocol) && username === '' && password === '' && hash === '' && !text.endsWith('#');
}
