import { JsonEntry, objectIn, type DirectoryRoles } from './json-entry.js';
import type { SettingReader } from './values/setting-reader.js';

const EMAIL_CLAIMS = ['email', 'preferred_username', 'upn'] as const;
type EmailClaim = (typeof EMAIL_CLAIMS)[number];
const isEmailClaim = (value: unknown): value is EmailClaim => (EMAIL_CLAIMS as readonly unknown[]).includes(value);

export type DirectorySettings = ReturnType<typeof directorySettings>;

const EXAMPLE =
  'OIDC_USERS={"groups":{"claim":"groups","map":{"cms-admins":"admin"}},"default_role":"viewer","email_claim":"upn"}';
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

export function directorySettings(reader: SettingReader) {
  const isEmailTrusted = reader.oneOf('OIDC_TRUST_EMAIL', ['true', 'false'], 'false') === 'true';
  const { emailClaim, roles } = users(reader);
  if (emailClaim !== 'email' && !isEmailTrusted) {
    reader.fault(
      `OIDC_USERS: email_claim is ${emailClaim}, which no provider verifies. If its addresses are those of your people, add OIDC_TRUST_EMAIL=true.`,
    );
  }
  const issuer = reader.text('OIDC_ISSUER') ?? '';
  if (isEmailTrusted) requireOwnAddresses(issuer, reader);
  if (isEmailTrusted || roles !== null) requireOneTenant(issuer, reader);
  return {
    emailClaim,
    /** True if its addresses prove and link accounts. */
    isEmailTrusted,
    /** `null`: roles are given here. */
    roles,
  };
}

/** Reads how users of that provider become users here; without `groups` their roles are given here. */
function users(reader: SettingReader): { readonly emailClaim: EmailClaim; readonly roles: DirectoryRoles | null } {
  const text = reader.text('OIDC_USERS');
  const fields = text === undefined ? {} : objectIn(text);
  if (!fields) reader.fault(`OIDC_USERS must be JSON: ${EXAMPLE}.`);
  const entry = new JsonEntry(fields ?? {}, 'OIDC_USERS', reader);
  const roles = entry.roles();
  const emailClaim = entry.field('email_claim', isEmailClaim, `one of ${EMAIL_CLAIMS.join(', ')}`) ?? 'email';
  requireRoles(entry, roles);
  return entry.finished({ emailClaim, roles: entry.isUnset('groups') ? null : roles });
}

/** Groups that let no person in, and a role without groups, are mistakes. */
function requireRoles(entry: JsonEntry, { ofGroup, otherwise }: DirectoryRoles): void {
  if (entry.isUnset('groups')) {
    if (otherwise !== null) entry.fault('default_role', 'left out without groups: then roles are given here');
  } else if (ofGroup.size === 0 && otherwise === null) {
    entry.fault('groups', 'a map with a group: nobody has access otherwise, as there is no default_role');
  }
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
    `OIDC_ISSUER is "${issuer}", which is of many tenants: neither its addresses (OIDC_TRUST_EMAIL) nor its groups (OIDC_USERS) are yours. Name your tenant: OIDC_ISSUER=https://login.microsoftonline.com/<tenant id>/v2.0.`,
  );
}
