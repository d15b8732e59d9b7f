import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server took it. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  readonly isEncrypted: boolean;
  /** Who signed in to send it. */
  readonly user: string | null;
}

type Step = 'sender' | 'recipient' | 'content';
type Mood =
  | { readonly kind: 'takes'; readonly afterMs: number }
  | { readonly kind: 'hangs' | 'drops' }
  | { readonly kind: 'refuses'; readonly code: number; readonly step: Step; readonly words: string };
type Done = (error?: Error | null) => void;

interface Knobs {
  /** Whom it lets in; without it everybody. */
  readonly auth?: { readonly user: string; readonly pass: string };
  /** Whether it offers encryption, with a certificate that no client trusts. */
  readonly offersTls?: boolean;
}

/** A mail server on this machine whose behaviour the test sets. */
export class MailServer {
  readonly received: Received[] = [];
  /** How often it was asked to take a mail, whatever it answered. */
  attempts = 0;
  private mood: Mood = { kind: 'takes', afterMs: 0 };
  private readonly sockets = new Set<Socket>();
  private readonly server: SMTPServer;

  private constructor(private readonly knobs: Knobs) {
    this.server = new SMTPServer({ ...this.handlers(), ...optionsOf(knobs) });
    this.server.on('error', () => undefined); // clients that go away
    this.server.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(knobs: Knobs = {}): Promise<MailServer> {
    const mailServer = new MailServer(knobs);
    await once(mailServer.server.listen(0, '127.0.0.1'), 'listening');
    return mailServer;
  }

  /** As `SMTP_URL` wants it. */
  get url(): string {
    const { user, pass } = this.knobs.auth ?? { user: '', pass: '' };
    const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(pass)}@`;
    return `smtp://${login}127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** From now on it takes what it gets, each mail after so long. */
  take(afterMs = 0): void {
    this.mood = { kind: 'takes', afterMs };
  }

  /** From now on it refuses with this code, and perhaps in these words. */
  refuse(code: number, step: Step = 'recipient', words = 'not now'): void {
    this.mood = { kind: 'refuses', code, step, words };
  }

  /** From now on it says nothing, not even a greeting. */
  hang(): void {
    this.mood = { kind: 'hangs' };
  }

  /** From now on it ends each connection in the middle of a mail. */
  drop(): void {
    this.mood = { kind: 'drops' };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }

  private handlers(): SMTPServerOptions {
    return {
      onConnect: (_, done) => {
        if (this.mood.kind !== 'hangs') done();
      },
      onAuth: ({ username, password }, _, done) => {
        const { user, pass } = this.knobs.auth ?? {};
        if (username === user && password === pass) done(null, { user });
        else done(new Error('Who are you?'));
      },
      onMailFrom: (_, __, done) => {
        this.attempts += 1;
        this.answer('sender', done);
      },
      onRcptTo: (_, __, done) => {
        this.answer('recipient', done);
      },
      onData: (stream, { envelope, secure, user }, done) => {
        void buffer(stream).then((raw) => {
          this.answer('content', (error) => {
            if (!error) {
              const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
              const to = envelope.rcptTo.map(({ address }) => address);
              this.received.push({
                from,
                to,
                raw,
                isEncrypted: secure,
                user: user === undefined ? null : String(user),
              });
            }
            done(error);
          });
        });
      },
    };
  }

  private answer(step: Step, done: Done): void {
    const { mood } = this;
    if (mood.kind === 'hangs') return;
    if (mood.kind === 'drops') {
      for (const socket of this.sockets) socket.destroy();
    } else if (mood.kind === 'refuses' && mood.step === step) {
      done(Object.assign(new Error(mood.words), { responseCode: mood.code }));
    } else if (mood.kind === 'takes' && step === 'content') setTimeout(done, mood.afterMs);
    else done();
  }
}

function optionsOf({ auth, offersTls = false }: Knobs): SMTPServerOptions {
  return {
    logger: false,
    closeTimeout: 100,
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(offersTls ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
  };
}
