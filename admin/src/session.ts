import type { Client, SessionEvents, SignedInUser } from '@content-service/client';

/** Changes in the editor, whose code may not be loaded, that are not saved. */
export interface Unsaved {
  has(): boolean;
  /** Sends it. */
  flush(): Promise<unknown>;
  /** Keeps it on the device, and lets the page end without a question. */
  keep(): Promise<unknown>;
}

/** The news of a session: `left` by hand in another tab, with nothing unsaved in this one. */
export type SessionEvent = 'opened' | 'ended' | 'left';
type News = 'signedIn' | 'signedOut';

/** The surroundings of a session. */
interface ConsoleSessionOptions {
  readonly connect: (events: SessionEvents) => Client;
  /** Reaches the other tabs; `null`: the browser has none. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null;
  /** Loads the console anew. */
  readonly reload: () => void;
}

type Listener = (event: SessionEvent) => void;

/** The session of this page, which other tabs share: it ends and goes on in all of them. */
export class ConsoleSession {
  readonly client: Client;
  /** Filled in by the editor. */
  unsaved: Unsaved = { has: () => false, flush: () => Promise.resolve(), keep: () => Promise.resolve() };
  /** True if it has ended, and the page waits for a sign-in. */
  isEnded = false;
  private readonly listeners = new Set<Listener>();
  private isLeaving = false;

  constructor(private readonly options: ConsoleSessionOptions) {
    this.client = options.connect({
      onSignedOut: () => (this.isLeaving && !this.unsaved.has() ? this.tell('left') : this.end()),
      onOtherPerson: () => void this.startAfresh(),
    });
    options.channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
      void this.look(data === 'signedOut');
    });
  }

  /** Calls back when it has changed. @returns ends that */
  readonly listen = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens a session. Where another person had one before, the page starts afresh and this never returns. */
  async signIn(...proof: Parameters<Client['signIn']>): Promise<void> {
    const former = this.client.user;
    const user = await this.client.signIn(...proof);
    this.options.channel?.postMessage('signedIn' satisfies News);
    if (isOther(user, former)) await new Promise(() => undefined);
    this.open();
  }

  /** Ends the session, here and in the other tabs. */
  async signOut(): Promise<void> {
    await this.client.signOut();
    this.isEnded = false;
    this.options.channel?.postMessage('signedOut' satisfies News);
  }

  /** Looks whether another tab has signed in or out. @param isByHand whether a person has ended the session */
  async look(isByHand = false): Promise<void> {
    this.isLeaving = isByHand;
    try {
      if (await this.client.resume()) this.open();
    } catch {
      // The service is away: the next request finds out.
    } finally {
      this.isLeaving = false;
    }
  }

  private open(): void {
    this.isEnded = false;
    this.tell('opened');
    void this.unsaved.flush();
  }

  private end(): void {
    this.isEnded = true;
    this.tell('ended');
  }

  private async startAfresh(): Promise<void> {
    await this.unsaved.keep();
    this.options.reload();
  }

  private tell(event: SessionEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

function isOther(user: SignedInUser, former: SignedInUser | null): boolean {
  return former !== null && former.id !== user.id;
}
