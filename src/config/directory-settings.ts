import { ROLES, type Role } from '../common/access/role-names.js';
import { list, oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const EMAIL_CLAIMS = ['email', 'preferred_username', 'upn'] as const;
/** The claim in which a provider has the address. */
type EmailClaim = (typeof EMAIL_CLAIMS)[number];

/** How the groups of a directory become roles. */
export interface DirectoryRoles {
  /** Name of the claim with the groups, or a dotted path to it. */
  readonly claim: string;
  readonly ofGroup: ReadonlyMap<string, Role>;
  /** For members of none of these groups; `null`: they are kept out. */
  readonly otherwise: Role | null;
}

/** What the operator's own provider decides. */
export interface DirectorySettings {
  readonly emailClaim: EmailClaim;
  /** Whether its addresses prove and link accounts. */
  readonly isEmailTrusted: boolean;
  /** `null`: roles are given here. */
  readonly roles: DirectoryRoles | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

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
export function directorySettings(env: Environment, faults: SettingFaults): DirectorySettings {
  const isEmailTrusted = oneOf('OIDC_TRUST_EMAIL', ['true', 'false'], env.OIDC_TRUST_EMAIL, 'false', faults) === 'true';
  const emailClaim = oneOf('OIDC_EMAIL_CLAIM', EMAIL_CLAIMS, env.OIDC_EMAIL_CLAIM, 'email', faults);
  if (emailClaim !== 'email' && !isEmailTrusted) {
    faults.add(
      `OIDC_EMAIL_CLAIM is ${emailClaim}, which no provider verifies. If its addresses are those of your people, add OIDC_TRUST_EMAIL=true.`,
    );
  }
  const roles = rolesOf(env, faults);
  if (isEmailTrusted) requireOwnAddresses(env.OIDC_ISSUER ?? '', faults);
  if (isEmailTrusted || roles !== null) requireOneTenant(env.OIDC_ISSUER ?? '', faults);
  return { emailClaim, isEmailTrusted, roles };
}

function rolesOf(
  { OIDC_ROLES: text, OIDC_ROLE_CLAIM: claim }: Environment,
  faults: SettingFaults,
): DirectoryRoles | null {
  if (text !== undefined) return directoryRoles(text, claim, faults);
  if (claim !== undefined) {
    faults.add(`OIDC_ROLE_CLAIM is set, and OIDC_ROLES is not. Say which group has which role: ${EXAMPLE}.`);
  }
  return null;
}

/** An address was verified there once, and its mailbox may have changed hands since. */
function requireOwnAddresses(issuer: string, faults: SettingFaults): void {
  if (!URL.canParse(issuer) || !OPEN_HOSTS.has(new URL(issuer).hostname)) return;
  faults.add(
    `OIDC_ISSUER is "${issuer}", at which everybody can have an account: its addresses are not yours. Remove OIDC_TRUST_EMAIL, or name your own provider.`,
  );
}

/** Everybody can make a tenant, and write into it what addresses and groups they like. */
function requireOneTenant(issuer: string, faults: SettingFaults): void {
  if (!MANY_TENANTS.test(issuer)) return;
  faults.add(
    `OIDC_ISSUER is "${issuer}", which is of many tenants: neither its addresses (OIDC_TRUST_EMAIL) nor its groups (OIDC_ROLES) are yours. Name your tenant: OIDC_ISSUER=https://login.microsoftonline.com/<tenant id>/v2.0.`,
  );
}

function directoryRoles(text: string, claim = 'groups', faults: SettingFaults): DirectoryRoles {
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : list(text).map(plainEntry);
  const isFit = entries.length > 0 && entries.every(([group, role]) => group !== '' && isRole(role));
  const names = entries.map(([group]) => group);
  if (!isFit || new Set(names).size < names.length) {
    faults.add(
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

function isRole(text: unknown): text is Role {
  return (ROLES as readonly unknown[]).includes(text);
}
