import { ROLES, type Role } from '../../../../common/access/role-names.js';
import type { DirectoryRoles } from '../../../../config/json-entry.js';

/** The role that the claims of a directory give a person, or the reason why they give none. */
export type DirectoryRole =
  | {
      readonly kind: 'role';
      readonly role: Role;
      /** The claims name no groups: the role is the default one, and only an upper bound. */
      readonly isAtMost: boolean;
    }
  /** `outsider`: none of their groups has a role; `silent`: the claims name none; `unknown`: the claim is malformed. */
  | { readonly kind: 'outsider' | 'silent' | 'unknown'; readonly message: string };

/** Many providers leave the claim out for people without a group; others where it is not set up. */
const noGroupsMessage = (claim: string) =>
  `Your directory does not say which groups you are in (${claim}), and so gives you no role here. Ask its administrator ` +
  'to add you to a group that has one, or to have the directory send the groups along.';

type Claims = Readonly<Record<string, unknown>>;

const OUTSIDER =
  'Your organisation has given you no role here. Ask its administrator to add you to a group that has one.';

/**
 * The role of a person by the groups in their claims: the most powerful one of all groups that have a role.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference for `_claim_names` and `hasgroups`
 */
export function directoryRole(claims: Claims, { claim, ofGroup, otherwise }: DirectoryRoles): DirectoryRole {
  const claimed = claimAt(claims, claim);
  const groups = groupsOf(claimed);
  if (groups === null) return unknown(`The claim ${claim} of the provider is no list of texts.`);
  if (groups.length === 0 && isOverage(claims, claim)) {
    return unknown(
      `You are in more groups than your directory sends along (${claim}). Its administrator can have it send only the ` +
        'groups assigned to this application, or app roles with "claim":"roles".',
    );
  }
  const roles = new Set(groups.map((group) => ofGroup.get(group)));
  const role = ROLES.findLast((one) => roles.has(one)) ?? otherwise;
  const isSilent = claimed === undefined;
  if (role !== null) return { kind: 'role', role, isAtMost: isSilent };
  return isSilent ? { kind: 'silent', message: noGroupsMessage(claim) } : { kind: 'outsider', message: OUTSIDER };
}

/** True if the claim is missing, and the claims do not say that it is elsewhere. */
export function isClaimMissing(claims: Claims, claim: string): boolean {
  return claimAt(claims, claim) === undefined && !isOverage(claims, claim);
}

/** A claim by its name, which may have dots (`https://corp.example/roles`), or by the path to it (`realm_access.roles`). */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((at, name) => {
    const isInside = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return isInside ? (at as Claims)[name] : undefined;
  }, claims);
}

/** Some directories send a single group as a text. `null`: neither that nor a list of texts. */
function groupsOf(claim: unknown): readonly string[] | null {
  const groups: readonly unknown[] | null = claim === undefined ? [] : Array.isArray(claim) ? claim : [claim];
  return groups.every((group): group is string => typeof group === 'string') ? groups : null;
}

/** Microsoft leaves out groups that are too many for the token, and says where to ask for them. */
function isOverage(claims: Claims, claim: string): boolean {
  const { _claim_names: names, hasgroups } = claims;
  const isElsewhere = typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  return isElsewhere || (claim === 'groups' && (hasgroups === true || hasgroups === 'true'));
}

function unknown(message: string): DirectoryRole {
  return { kind: 'unknown', message };
}
