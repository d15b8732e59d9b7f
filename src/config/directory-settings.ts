import { ROLES, type Role } from '../common/access/role-names.js';
import { entriesOf, type SettingReader } from './values/setting-reader.js';

/** Claims in which providers have the address. */
const EMAIL_CLAIMS = ['email', 'preferred_username', 'upn'] as const;

/** How the groups of a directory become roles. */
export interface DirectoryRoles {
  /** Name of the claim with the groups, or a dotted path to it. */
  readonly claim: string;
  readonly ofGroup: ReadonlyMap<string, Role>;
  /** For members of none of these groups; `null`: they are kept out. */
  readonly otherwise: Role | null;
}

/** What the operator's own provider decides. */
export type DirectorySettings = ReturnType<typeof directorySettings>;

const EXAMPLE = 'OIDC_ROLES=cms-admins:admin,cms-editors:editor,*:viewer';
const EVERYBODY_ELSE = '*';
/** Issuers of Microsoft for all tenants, and the one tenant of all personal accounts. */
const MANY_TENANTS = /\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(?:\/v2\.0)?\/*$/i;
/** Providers at which everybody can have an account. */
const OPEN_HOSTS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'account.apple.com',
  'appleid.apple.com',
  'api.login.yahoo.com',
  'gitlab.com',
  'slack.com',
  'www.facebook.com',
  'www.linkedin.com',
]);

/** Reads and checks what the operator's own provider decides. */
export function directorySettings(reader: SettingReader) {
  const isEmailTrusted = reader.oneOf('OIDC_TRUST_EMAIL', ['true', 'false'], 'false') === 'true';
  const emailClaim = reader.oneOf('OIDC_EMAIL_CLAIM', EMAIL_CLAIMS, 'email');
  if (emailClaim !== 'email' && !isEmailTrusted) {
    reader.fault(
      `OIDC_EMAIL_CLAIM is ${emailClaim}, which no provider verifies. If its addresses are those of your people, add OIDC_TRUST_EMAIL=true.`,
    );
  }
  const roles = rolesOf(reader);
  const issuer = reader.text('OIDC_ISSUER') ?? '';
  if (isEmailTrusted) requireOwnAddresses(issuer, reader);
  if (isEmailTrusted || roles !== null) requireOneTenant(issuer, reader);
  return {
    emailClaim,
    /** Whether its addresses prove and link accounts. */
    isEmailTrusted,
    /** `null`: roles are given here. */
    roles,
  };
}

function rolesOf(reader: SettingReader): DirectoryRoles | null {
  const [text, claim] = [reader.text('OIDC_ROLES'), reader.text('OIDC_ROLE_CLAIM')];
  if (text !== undefined) return directoryRoles(text, claim, reader);
  if (claim !== undefined) {
    reader.fault(`OIDC_ROLE_CLAIM is set, and OIDC_ROLES is not. Say which group has which role: ${EXAMPLE}.`);
  }
  return null;
}

/** An address was verified there once, and its mailbox may have changed hands since. */
function requireOwnAddresses(issuer: string, reader: SettingReader): void {
  if (!URL.canParse(issuer) || !OPEN_HOSTS.has(new URL(issuer).hostname)) return;
  reader.fault(
    `OIDC_ISSUER is "${issuer}", at which everybody can have an account: its addresses are not yours. Remove OIDC_TRUST_EMAIL, or name your own provider.`,
  );
}

/** Everybody can make a tenant, and write into it what addresses and groups they like. */
function requireOneTenant(issuer: string, reader: SettingReader): void {
  if (!MANY_TENANTS.test(issuer)) return;
  reader.fault(
    `OIDC_ISSUER is "${issuer}", which is of many tenants: neither its addresses (OIDC_TRUST_EMAIL) nor its groups (OIDC_ROLES) are yours. Name your tenant: OIDC_ISSUER=https://login.microsoftonline.com/<tenant id>/v2.0.`,
  );
}

function directoryRoles(text: string, claim = 'groups', reader: SettingReader): DirectoryRoles {
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : entriesOf(text).map(plainEntry);
  const isFit = entries.length > 0 && entries.every(([group, role]) => group !== '' && isRole(role));
  const names = entries.map(([group]) => group);
  if (!isFit || new Set(names).size < names.length) {
    reader.fault(
      `OIDC_ROLES is "${text}" and takes each group once with one of ${ROLES.join(', ')}: ${EXAMPLE}. Names with a comma need JSON: OIDC_ROLES={"CN=Editors,OU=Web":"editor"}.`,
    );
  }
  const ofGroup = new Map(entries as [string, Role][]);
  const otherwise = ofGroup.get(EVERYBODY_ELSE) ?? null;
  ofGroup.delete(EVERYBODY_ELSE);
  return { claim, ofGroup, otherwise };
}

/** `urn:corp:editors:editor` -> `['urn:corp:editors', 'editor']`: names of groups may have colons, roles have none. */
function plainEntry(entry: string): [string, string] {
  const colon = entry.lastIndexOf(':');
  return [entry.slice(0, Math.max(colon, 0)).trim(), entry.slice(colon + 1).trim()];
}

/** None where it is no object of texts. */
function jsonEntries(text: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    return [];
  }
}

export function isRole(text: unknown): text is Role {
  return (ROLES as readonly unknown[]).includes(text);
}
