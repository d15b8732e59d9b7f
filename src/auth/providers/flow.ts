import type { ServiceRequest } from '../../common/http/request-context.js';
import type { ProviderIdentity } from './identity-provider.js';

/** What whoever begins a sign-in wishes. */
interface FlowWishes {
  /** Where the browser goes in the end; `null`: it gets the answer itself. */
  readonly redirectTo: string | null;
  /** PKCE of whoever will exchange the one-time code. @see RFC 7636 */
  readonly codeChallenge: string | null;
}

/** A sign-in that a browser has begun. */
export interface FlowStart extends FlowWishes {
  /** Comes back inside the id_token. */
  readonly nonce: string;
  /** The session of whoever is signed in and wants another way in; `null`: nobody is. */
  readonly session: string | null;
}

/** All that a browser keeps, sealed, while it is at the provider. */
export interface Flow extends FlowStart {
  readonly state: string;
  /** Our own PKCE towards the provider. */
  readonly verifier: string;
}

/** A request on its way through the guards of a sign-in. */
export interface FlowRequest extends ServiceRequest {
  /** The session that an identity is to be linked to. */
  session?: string | null;
  /** Set on the way out. */
  flowStart?: FlowStart;
  /** Set on the way back, once it is sure that this browser began the sign-in. */
  flow?: Flow;
  /** Set by Passport. */
  user?: ProviderIdentity;
  /** What came of the way back. */
  outcome?: FlowOutcome;
}

/** How a browser came back from the provider. */
export interface FlowOutcome extends Omit<FlowStart, 'nonce'> {
  /** Who it is, or why nobody knows. */
  readonly result: ProviderIdentity | Error;
}
