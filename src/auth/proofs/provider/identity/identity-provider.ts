import type { Visitor } from '../../../../common/access/visitor.js';
import type { EmailAddress } from '../../../../common/text/email-address.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import type { DirectoryRole } from './directory-roles.js';

/** A session that a request has shown. */
export interface PresentedSession {
  readonly id: string;
  /**
   * The time of sign-in of the access token that was shown, milliseconds since 1970, UTC; `null`: the session was shown
   * by its refresh token.
   */
  readonly authTime: number | null;
}

/** By how much the clock of a provider may differ from ours, seconds. */
export const CLOCK_TOLERANCE = 30;

/** Who a user is according to a provider. */
export interface ProviderIdentity {
  readonly provider: ProviderName;
  /** The `sub`: the one thing about an account there that never changes. */
  readonly subject: string;
  /** `null`: the provider gives none, or none that we send mail to. */
  readonly email: EmailAddress | null;
  readonly isEmailVerified: boolean;
  /**
   * Whether the provider runs the mailbox, or the operator vouches for its addresses: only then the address proves and
   * links an account.
   */
  readonly isEmailAuthoritative: boolean;
  /** Whether the word is that of the operator's own provider, or about a domain of theirs: it links accounts of any role. */
  readonly isOfOperator: boolean;
  readonly name: string | null;
  /** What the directory behind the provider says of the person; `null`: roles are given here. */
  readonly directory: DirectoryRole | null;
  /** The session at the provider, by which it can end ours; `null`: it named none. */
  readonly sessionId: string | null;
  /** When the user has last shown the provider who they are, milliseconds since 1970, UTC; `null`: it does not say. */
  readonly authTime: number | null;
  /** When the provider said so, milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  /** Identifies this proof, so that it is accepted once. */
  readonly proof: string;
  /** When the proof ends by itself, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** That a session at a provider is over, or all of a person. */
export interface ProviderLogout {
  readonly provider: ProviderName;
  /** `null`: the session is named instead. */
  readonly subject: string | null;
  readonly sessionId: string | null;
  /** When the provider said so, milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  /** Identifies this logout token, so that it is accepted once. */
  readonly proof: string;
  /** Until when it would be believed, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A proof for which the account is not yet found. */
export interface ProviderProof {
  readonly identity: ProviderIdentity;
  /** The session of the user who is signed in and asks for the link; `null`: there is none. */
  readonly session: PresentedSession | null;
  readonly visitor: Visitor;
}
