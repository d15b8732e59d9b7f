import { CmsError } from './errors.js';

/** A user as they see themselves. */
export interface SignedInUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

/** An access token as it is answered. */
export interface TokenAnswer {
  readonly token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly user: SignedInUser;
}

/** A session of which the access token is in memory, and the refresh token in a cookie that no script can read. */
export interface Session {
  /** Whose it is, or was: the first person that it has known. */
  readonly user: SignedInUser | null;
  /** A token that is good for a while; `null`: signed out. */
  token(): Promise<string | null>;
  /** Another token in the place of one that was refused, or of none; `null`: signed out. */
  renew(refused: string | null): Promise<string | null>;
  /** A token by the cookie, which others may have changed since; `null`: signed out. */
  resume(): Promise<string | null>;
  /** Goes on with another token; `null`: signed out. */
  keep(answer: TokenAnswer | null): void;
}

/** What a session tells. */
export interface SessionEvents {
  /** A session that was there has ended elsewhere. */
  readonly onSignedOut: () => void;
  /** Another person has signed in. Nothing is sent with their token. */
  readonly onOtherPerson: () => void;
}

/** A token with less time than this left is replaced before it is sent, milliseconds. */
const SHORT = 30_000;

/**
 * Keeps a session going: all who need the next token at the same time wait for one refresh. It is of one person for as
 * long as it lives, since what they have begun must not be sent as another one's.
 *
 * @param ask refreshes by the cookie. Tabs need no lock: a spent cookie gives the same successor for a while
 */
export function sessionOver(ask: () => Promise<unknown>, events: SessionEvents): Session {
  let user: SignedInUser | null = null;
  /** The end is by a clock that is never put back or ahead. */
  let current: { readonly token: string; readonly endsAt: number } | null | undefined;
  let flight: Promise<string | null> | undefined;

  function keep(answer: TokenAnswer | null): void {
    const isOther = answer !== null && user !== null && answer.user.id !== user.id;
    user = isOther ? user : (answer?.user ?? user);
    current =
      answer === null || isOther
        ? null
        : { token: answer.token, endsAt: performance.now() + answer.expires_in * 1_000 };
    if (isOther) events.onOtherPerson();
  }

  async function refreshed(): Promise<string | null> {
    const before = current;
    try {
      const answer = (await ask()) as TokenAnswer;
      // A sign-out meanwhile is not undone.
      if (current === before) keep(answer);
    } catch (error) {
      if (!isOver(error)) throw error;
      if (current === before) {
        keep(null);
        if (before) events.onSignedOut();
      }
    }
    return current?.token ?? null;
  }

  function refresh(): Promise<string | null> {
    flight ??= refreshed().finally(() => {
      flight = undefined;
    });
    return flight;
  }

  return {
    get user() {
      return user;
    },
    keep,
    async token() {
      if (current === null) return null;
      if (current && current.endsAt - performance.now() > SHORT) return current.token;
      return refresh();
    },
    async renew(refused) {
      if (current && current.token !== refused) return current.token;
      return refused === null ? null : refresh();
    },
    async resume() {
      // One that is under way may have left with the former cookie.
      await flight?.catch(() => undefined);
      return refresh();
    },
  };
}

/** Whether the service has said that the session is over. A gateway may answer 401 for reasons of its own. */
export function isOver(error: unknown): boolean {
  return error instanceof CmsError && error.status === 401 && error.code !== 'unreadable';
}
