import { CmsError } from './errors.js';
import { sessionOver, type Session, type TokenAnswer } from './session.js';
import { transportOver, type Call, type Send, type TransportOptions } from './transport.js';

/** A user as they see themselves. */
export interface SignedInUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

/** How a client is made. */
export interface ClientOptions extends TransportOptions {
  /** The session has ended, though not by `signOut()` of this client. */
  readonly onSignedOut?: () => void;
}

/** Ways to prove who one is, by the routes that take the proofs. */
const PROOFS = {
  password: '/api/auth/login',
  code: '/api/auth/otp/verify',
  link: '/api/auth/magic-link/verify',
  exchange: '/api/auth/exchange',
} as const;

/** A client of the service for a page of its own site. */
export interface Client {
  /** Sends a request with the credential of the session. */
  readonly request: Send;
  /** Sends a request that needs no credential. */
  readonly open: Send;
  /** Opens a session by a proof: a password, a mailed code or link, or the code that a provider has led back with. */
  signIn(way: keyof typeof PROOFS, proof: Readonly<Record<string, string>>): Promise<SignedInUser>;
  /** Whether there is a session, this one or one that the browser has kept. */
  isSignedIn(): Promise<boolean>;
  signOut(): Promise<void>;
}

const REFUSED = new Set(['unauthorized', 'invalid_token']);

/** A client of the service at an address. */
export function createClient({ onSignedOut = () => undefined, ...options }: ClientOptions): Client {
  const open = transportOver(options);
  const session = sessionOver(() => open('POST', '/api/auth/refresh', { body: {} }), onSignedOut);
  const request = withCredential(open, session);
  return {
    open,
    request,
    async signIn(way, proof) {
      // The contract of all routes that take a proof.
      const answer = (await open('POST', PROOFS[way], { body: { ...proof, mode: 'cookie' } })) as TokenAnswer & {
        readonly user: SignedInUser;
      };
      session.keep(answer);
      return answer.user;
    },
    isSignedIn: async () => (await session.token()) !== null,
    async signOut() {
      await request('POST', '/api/auth/logout', { body: {} });
      session.keep(null);
    },
  };
}

/** Once more with the next token where one is refused. */
function withCredential(send: Send, session: Session): Send {
  return async (method, path, call) => {
    const token = await session.token();
    try {
      return await send(method, path, authorized(call, token));
    } catch (error) {
      const isRefused = error instanceof CmsError && REFUSED.has(error.code);
      const next = isRefused && token !== null ? await session.renew(token) : null;
      if (next === null) throw error;
      return send(method, path, authorized(call, next));
    }
  };
}

function authorized(call: Call = {}, token: string | null): Call {
  return token === null ? call : { ...call, headers: { ...call.headers, Authorization: `Bearer ${token}` } };
}
