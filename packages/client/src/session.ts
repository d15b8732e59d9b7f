import { CmsError } from './errors.js';

/** An access token as it is answered. */
export interface TokenAnswer {
  readonly token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** A session of which the access token is in memory, and the refresh token in a cookie that no script can read. */
export interface Session {
  /** A token that is good for a while; `null`: signed out. */
  token(): Promise<string | null>;
  /** Another token in the place of one that was refused; `null`: signed out. */
  renew(refused: string): Promise<string | null>;
  /** Goes on with another token; `null`: signed out. */
  keep(answer: TokenAnswer | null): void;
}

/** A token with less time than this left is replaced before it is sent, milliseconds. */
const SHORT = 30_000;

/**
 * Keeps a session going: all who need the next token at the same time wait for one refresh.
 *
 * @param ask refreshes by the cookie. Tabs need no lock: a spent cookie gives the same successor for a while
 * @param onSignedOut is called when a session that was there has ended elsewhere
 */
export function sessionOver(ask: () => Promise<unknown>, onSignedOut: () => void): Session {
  let current: { readonly token: string; readonly endsAt: number } | null | undefined;
  let flight: Promise<string | null> | undefined;

  function keep(answer: TokenAnswer | null): void {
    current = answer && { token: answer.token, endsAt: Date.now() + answer.expires_in * 1_000 };
  }

  async function refreshed(): Promise<string | null> {
    const before = current;
    try {
      const answer = (await ask()) as TokenAnswer;
      // A sign-out meanwhile is not undone.
      if (current === before) keep(answer);
    } catch (error) {
      if (!isOver(error)) throw error;
      if (current === before) keep(null);
      if (before) onSignedOut();
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
    keep,
    async token() {
      if (current === null) return null;
      if (current && current.endsAt - Date.now() > SHORT) return current.token;
      return refresh();
    },
    renew: async (refused) => (current && current.token !== refused ? current.token : refresh()),
  };
}

/** Whether the service has said that the session is over. A gateway may answer 401 for reasons of its own. */
function isOver(error: unknown): boolean {
  return error instanceof CmsError && error.status === 401 && error.code !== 'unreadable';
}
