import { createClient } from '@content-service/client';
import { ConsoleSession, type SessionEvent } from './session.js';

/** Milliseconds that a request takes. */
const WAY = 40;
/** Milliseconds that a spent cookie gives the same successor. */
const GRACE = 10_000;
const HOUR = 3_600_000;
const PEOPLE: Readonly<Record<string, number>> = { ann: 1, bob: 2 };

interface ServedSession {
  readonly person: string;
  cookie: string;
  former: string;
  spentAt: number;
}

/** A browser with its one cookie, and the service with its sessions. */
class FakeBrowser {
  refreshes = 0;
  /** Who has written, by the token that was sent. */
  readonly writers: string[] = [];
  private cookie: string | null = null;
  private made = 0;
  private sessions: ServedSession[] = [];
  private tokens = new Map<string, { readonly session: ServedSession; readonly endsAt: number }>();
  private readonly listeners: ((tab: object, event: MessageEvent) => void)[] = [];
  /** Milliseconds since it was started, by no clock that can be set. */
  private time = 0;

  constructor() {
    setInterval(() => (this.time += 100), 100);
  }

  /** One end of the channel between its tabs. */
  channel(tab: object): Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> {
    return {
      postMessage: (data: unknown) => {
        for (const tell of this.listeners) tell(tab, { data } as MessageEvent);
      },
      addEventListener: (_: string, listen: (event: MessageEvent) => void) => {
        this.listeners.push((from, event) => {
          if (from !== tab) listen(event);
        });
      },
    } as Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  }

  /** Ends all sessions, as the service does. */
  revoke(): void {
    this.sessions = [];
  }

  readonly fetch = async (input: unknown, { headers, body }: RequestInit = {}): Promise<Response> => {
    const sent = { cookie: this.cookie, authorization: new Headers(headers).get('authorization') };
    await later(WAY);
    const answer = this.answer(new URL(String(input)).pathname, sent, body);
    await later(WAY);
    return answer;
  };

  private answer(path: string, sent: { cookie: string | null; authorization: string | null }, body: unknown): Response {
    if (path === '/api/auth/login') return this.login(JSON.parse(String(body)) as { email: string });
    if (path === '/api/auth/refresh') return this.refresh(sent.cookie);
    const access = this.tokens.get(sent.authorization ?? '');
    if (!access || access.endsAt <= this.time || !this.sessions.includes(access.session)) {
      return refused('invalid_token');
    }
    if (path !== '/api/auth/logout') {
      this.writers.push(access.session.person);
      return Response.json({});
    }
    this.sessions = this.sessions.filter((one) => one !== access.session);
    this.cookie = null;
    return new Response(null, { status: 204 });
  }

  private login({ email }: { email: string }): Response {
    const session = { person: email, cookie: this.next(), former: '', spentAt: 0 };
    this.sessions.push(session);
    return this.tokenOf(session);
  }

  private refresh(cookie: string | null): Response {
    this.refreshes += 1;
    const session = this.sessions.find((one) => cookie === one.cookie || cookie === one.former);
    if (!session) return refused('invalid_refresh_token');
    if (cookie === session.cookie) {
      [session.former, session.cookie, session.spentAt] = [session.cookie, this.next(), this.time];
    } else if (this.time - session.spentAt > GRACE) {
      this.sessions = this.sessions.filter((one) => one !== session);
      return refused('refresh_token_reused');
    }
    return this.tokenOf(session);
  }

  private tokenOf(session: ServedSession): Response {
    const token = this.next();
    this.cookie = session.cookie;
    this.tokens.set(`Bearer ${token}`, { session, endsAt: this.time + 900_000 });
    const user = { id: PEOPLE[session.person], email: session.person };
    return Response.json({ token, expires_in: 900, user });
  }

  private next(): string {
    this.made += 1;
    return String(this.made);
  }
}

/** A page of the console, with what has become of it. */
class Tab {
  readonly events: SessionEvent[] = [];
  hasUnsaved = false;
  flushes = 0;
  /** `kept`, then `reloaded`. */
  readonly ends: string[] = [];
  readonly session: ConsoleSession;

  constructor(browser: FakeBrowser) {
    this.session = new ConsoleSession({
      connect: (events) => createClient({ url: 'https://cms.example.com', fetch: browser.fetch, ...events }),
      channel: browser.channel(this),
      reload: () => this.ends.push('reloaded'),
    });
    this.session.listen((event) => this.events.push(event));
    this.session.unsaved = {
      has: () => this.hasUnsaved,
      flush: () => Promise.resolve((this.flushes += 1)),
      keep: () => Promise.resolve(this.ends.push('kept')),
    };
  }

  write(): Promise<unknown> {
    return this.session.client.request('PATCH', '/api/cms/post/1/draft', { body: {} });
  }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const refused = (error: string) => Response.json({ error, message: error }, { status: 401 });

describe('The session of the console', () => {
  let browser: FakeBrowser;
  let one: Tab;
  let two: Tab;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    browser = new FakeBrowser();
    [one, two] = [new Tab(browser), new Tab(browser)];
    await passing(one.session.signIn('password', { email: 'ann' }));
    for (const tab of [one, two]) tab.events.length = 0;
  });

  afterEach(() => jest.useRealTimers());

  async function passing<Value>(work: Promise<Value>): Promise<Value> {
    void work.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(20 * WAY);
    return work;
  }

  it('lasts for an hour in two tabs that write all the time, though the clock on the wall jumps', async () => {
    const failures: unknown[] = [];
    const writing = [one, two].map((tab, n) =>
      setInterval(() => void tab.write().catch((error: unknown) => failures.push(error)), 7_000 + n * 1_000),
    );
    for (let minute = 0; minute < 60; minute += 1) {
      await jest.advanceTimersByTimeAsync(HOUR / 60);
      if (minute % 10 === 0) jest.setSystemTime(Date.now() + (minute % 20 === 0 ? -HOUR : HOUR));
    }
    for (const timer of writing) clearInterval(timer);

    expect([failures, one.events, two.events]).toEqual([[], [], []]);
    expect(browser.writers.length).toBeGreaterThan(900);
    expect(browser.refreshes).toBeLessThan(12);
  });

  it('that has ended is opened again in all tabs by a sign-in in one of them', async () => {
    browser.revoke();
    await expect(passing(one.write())).rejects.toMatchObject({ status: 401 });
    await expect(passing(two.write())).rejects.toMatchObject({ status: 401 });
    expect([one.session.isEnded, two.session.isEnded]).toEqual([true, true]);

    await passing(two.session.signIn('password', { email: 'ann' }));

    for (const tab of [one, two]) {
      expect([tab.events, tab.session.isEnded, tab.ends]).toEqual([['ended', 'opened'], false, []]);
      await passing(tab.write());
    }
    expect(browser.writers).toEqual(['ann', 'ann']);
  });

  it('sends what waits as soon as it is there again', async () => {
    browser.revoke();
    await expect(passing(one.write())).rejects.toMatchObject({ status: 401 });
    const before = one.flushes;

    await passing(two.session.signIn('password', { email: 'ann' }));

    expect(one.flushes).toBe(before + 1);
  });

  it.each([
    ['asks the tab with something unsaved to sign in over its page', true, 'ended'],
    ['leads the tab with nothing unsaved to the sign-in', false, 'left'],
  ])('that is ended by hand %s', async (_, hasUnsaved, event) => {
    two.hasUnsaved = hasUnsaved;

    await passing(one.session.signOut());

    expect([one.events, two.events, two.session.isEnded]).toEqual([[], [event], hasUnsaved]);
  });

  it.each([
    ['another tab', () => two],
    ['the same one', () => one],
  ])('of another person who signs in in %s starts the page afresh, and writes nothing as theirs', async (_, where) => {
    one.hasUnsaved = true;
    const { flushes } = one;
    await passing(two.session.signOut());

    void where().session.signIn('password', { email: 'bob' });
    await jest.advanceTimersByTimeAsync(20 * WAY);

    expect([one.ends, one.flushes, one.events.includes('opened')]).toEqual([['kept', 'reloaded'], flushes, false]);
    await expect(passing(one.write())).rejects.toMatchObject({ status: 401 });
    expect(browser.writers).toEqual([]);
  });
});
