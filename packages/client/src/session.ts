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

/** Events of a session. */
export interface SessionEvents {
  /** A session that was there has ended elsewhere. */
  readonly onSignedOut: () => void;
  /** Another person has signed in. Nothing is sent with their token. */
  readonly onOtherPerson: () => void;
}

/** A token with less time than this left is replaced before it is sent, milliseconds. */
const SHORT = 30_000;

/**
 * A session of which the access token is in memory, and the refresh token in a cookie that no script can read. All who
 * need the next token at the same time wait for one refresh. It is of one person for as long as it lives, since what they
 * have begun must not be sent as another one's.
 */
export class Session {
  /** The owner: the first person that the session has known. */
  user: SignedInUser | null = null;
  /** The end is by a clock that is never set. `null`: signed out; `undefined`: not known yet. */
  private current: { readonly token: string; readonly endsAt: number } | null | undefined;
  private flight: Promise<string | null> | undefined;

  /** @param ask refreshes by the cookie. Tabs need no lock: a spent cookie gives the same successor for a while */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly events: SessionEvents,
  ) {}

  /** A token that is good for a while; `null`: signed out. */
  async token(): Promise<string | null> {
    const { current } = this;
    if (current === null) return null;
    if (current && current.endsAt - performance.now() > SHORT) return current.token;
    return this.refresh();
  }

  /** Another token in the place of one that was refused, or of none; `null`: signed out. */
  async renew(refused: string | null): Promise<string | null> {
    if (this.current && this.current.token !== refused) return this.current.token;
    return refused === null ? null : this.refresh();
  }

  /** A token by the cookie, which others may have changed since; `null`: signed out. */
  async resume(): Promise<string | null> {
    // A refresh that is under way may have left with the former cookie.
    await this.flight?.catch(() => undefined);
    return this.refresh();
  }

  /** Goes on with another token; `null`: signed out. */
  keep(answer: TokenAnswer | null): void {
    if (answer !== null && this.user !== null && answer.user.id !== this.user.id) {
      this.current = null;
      this.events.onOtherPerson();
      return;
    }
    this.user = answer?.user ?? this.user;
    this.current = answer && { token: answer.token, endsAt: performance.now() + answer.expires_in * 1_000 };
  }

  private refresh(): Promise<string | null> {
    this.flight ??= this.refreshed().finally(() => {
      this.flight = undefined;
    });
    return this.flight;
  }

  private async refreshed(): Promise<string | null> {
    const before = this.current;
    try {
      const answer = (await this.ask()) as TokenAnswer;
      // A sign-out meanwhile is not undone.
      if (this.current === before) this.keep(answer);
    } catch (error) {
      if (!isOver(error)) throw error;
      this.ended(before);
    }
    return this.current?.token ?? null;
  }

  /** Ends the session that there was before a refresh. A sign-in in the meantime is not undone. */
  private ended(before: Session['current']): void {
    if (this.current !== before) return;
    this.keep(null);
    if (before) this.events.onSignedOut();
  }
}

/** Tells whether the service has said that the session is over. A gateway may answer 401 for reasons of its own. */
export function isOver(error: unknown): boolean {
  return error instanceof CmsError && error.status === 401 && error.code !== 'unreadable';
}
