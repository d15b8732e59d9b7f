import type { JWTPayload } from 'jose';
import { isScope, missingScopes } from '../../common/access/caller.js';
import type { Role } from '../../common/access/role-names.js';
import type { IssuerRules, TrustedIssuer } from '../../config/issuer-settings.js';
import { emailAddress, type EmailAddress } from '../../common/text/email-address.js';
import { scopesOf } from '../../users/roles/roles.js';
import { directoryRole } from '../proofs/provider/identity/directory-roles.js';
import { authTimeOf, personName } from '../proofs/provider/identity/provider-claims.js';

const MAX_NAME = 80;
/** ASCII without spaces, which some databases do not tell apart at the end of a text. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/** A user of an issuer or a gateway, as far as the token or the headers prove it. */
export interface ForeignPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** As the issuer says; proved if the operator vouches for its addresses. */
  readonly email: EmailAddress | null;
  /** `null`: none of the groups has one. */
  readonly role: Role | null;
  readonly scopes: ReadonlySet<string>;
  /** Time of their sign-in, milliseconds since 1970, UTC; 0: unknown. */
  readonly authTime: number;
}

export type AdmittedPerson = ForeignPerson & { readonly role: Role };

/** The person that checked claims are about; `null`: the claims name none. */
export function personOf(claims: JWTPayload, issuer: TrustedIssuer): ForeignPerson | null {
  const { [issuer.subject]: subject, auth_time, iat = 0 } = claims;
  if (typeof subject !== 'string' || !SUBJECT.test(subject)) return null;
  const role = roleIn(claims, issuer);
  return {
    issuer: issuer.name,
    subject,
    name: personName(claims.name) ?? personName(claims.preferred_username) ?? subject.slice(0, MAX_NAME),
    email: verifiedAddress(claims, issuer),
    role,
    scopes: role === null ? new Set() : scopesWithin(role, claims, issuer.scopes),
    authTime: authTimeOf({ auth_time, iat }) ?? 0,
  };
}

function roleIn(claims: Readonly<Record<string, unknown>>, { roles }: IssuerRules): Role | null {
  const word = directoryRole(claims, roles);
  return word.kind === 'role' ? word.role : null;
}

/** `email_verified` may be missing if the operator vouches for the addresses. */
function verifiedAddress({ email, email_verified: flag }: JWTPayload, { isEmailTrusted }: IssuerRules) {
  const isVerified = flag === true || (isEmailTrusted && flag === undefined);
  return isVerified && typeof email === 'string' ? emailAddress(email) : null;
}

export type NamedPerson = Pick<ForeignPerson, 'subject' | 'email' | 'authTime'> & {
  readonly groups: readonly string[];
};

/** The person that a gateway names, with the role of their groups; `null`: it names none. */
export function personFrom(
  { subject, email, groups, authTime }: NamedPerson,
  rules: IssuerRules,
): ForeignPerson | null {
  if (!SUBJECT.test(subject)) return null;
  const role = roleIn({ [rules.roles.claim]: groups }, rules);
  const scopes = new Set<string>(role === null ? [] : scopesOf(role));
  return { issuer: rules.name, subject, name: subject.slice(0, MAX_NAME), email, role, scopes, authTime };
}

/** Both have to allow it: the role, and the token if it names scopes. */
function scopesWithin(role: Role, claims: JWTPayload, rule: TrustedIssuer['scopes']): ReadonlySet<string> {
  const ofRole = new Set<string>(scopesOf(role));
  if (rule === null) return ofRole;
  const claim = claims[rule.claim];
  const named = (typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [])
    .filter((one): one is string => typeof one === 'string' && one.startsWith(rule.prefix))
    .map((one) => one.slice(rule.prefix.length))
    .filter(isScope);
  if (named.includes('*')) return ofRole;
  return new Set(named.filter((scope) => missingScopes({ scopes: ofRole }, [scope]).length === 0));
}
