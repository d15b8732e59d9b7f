import { CmsError } from './errors.js';
import { isOver, Session, type SessionEvents, type SignedInUser, type TokenAnswer } from './session.js';
import { transportOver, type Call, type Send, type TransportOptions } from './transport.js';

/** Options of a client. */
export interface ClientOptions extends TransportOptions, Partial<SessionEvents> {}

/** Ways to prove who one is, by the routes that take the proofs. */
const PROOFS = {
  password: '/api/auth/login',
  code: '/api/auth/otp/verify',
  link: '/api/auth/magic-link/verify',
  exchange: '/api/auth/exchange',
} as const;

/** A client of the service for a page of its own site, and of one person: what they begin is never sent as another one's. */
export interface Client {
  /** The person who is signed in, or was; `null`: not known yet. */
  readonly user: SignedInUser | null;
  /** Sends a request with the credential of the session. */
  readonly request: Send;
  /** Sends a request that needs no credential. */
  readonly open: Send;
  /** Opens a session by a proof: a password, a mailed code or link, or the code that a provider has led back with. */
  signIn(way: keyof typeof PROOFS, proof: Readonly<Record<string, string>>): Promise<SignedInUser>;
  /** Tells whether there is a session, this one or one that the browser has kept. */
  isSignedIn(): Promise<boolean>;
  /** Looks by the cookie, which another tab may have changed, whether there is a session by now. */
  resume(): Promise<boolean>;
  signOut(): Promise<void>;
}

const REFUSED = new Set(['unauthorized', 'invalid_token']);

/** A client of the service at an address. */
export function createClient(options: ClientOptions): Client {
  const { onSignedOut = () => undefined, onOtherPerson = () => undefined } = options;
  const open = transportOver(options);
  const session = new Session(() => open('POST', '/api/auth/refresh', { body: {} }), { onSignedOut, onOtherPerson });
  const request = withCredential(open, session);
  return {
    get user() {
      return session.user;
    },
    open,
    request,
    async signIn(way, proof) {
      // The contract of all routes that take a proof.
      const answer = (await open('POST', PROOFS[way], { body: { ...proof, mode: 'cookie' } })) as TokenAnswer;
      session.keep(answer);
      return answer.user;
    },
    isSignedIn: async () => (await session.token()) !== null,
    resume: async () => (await session.resume()) !== null,
    async signOut() {
      try {
        await request('POST', '/api/auth/logout', { body: {} });
      } catch (error) {
        // One that is over needs no end.
        if (!isOver(error)) throw error;
      }
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
      const next = isRefused ? await session.renew(token) : null;
      if (next === null) throw error;
      return send(method, path, authorized(call, next));
    }
  };
}

function authorized(call: Call = {}, token: string | null): Call {
  return token === null ? call : { ...call, headers: { ...call.headers, Authorization: `Bearer ${token}` } };
}
