import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What becomes of a `COMMIT`: it is passed on and the connection dropped instead of answering, it is dropped
 * without being passed on, it is passed on and the answer kept back for good, or it is answered and is the last
 * statement that is: whatever is asked next, and on whatever connection, drops that.
 */
type Fate = 'unanswered' | 'unsent' | 'silent' | 'last';

/** Stands between the service and its server, and lets the `COMMIT` of one unit of work meet its fate. */
export class CommitProxy {
  private readonly sockets = new Set<Socket>();
  private armed: { readonly fate: Fate; readonly text: string } | null = null;
  /** How many `COMMIT`s have met theirs. */
  met = 0;
  /** Whether nothing is answered any more. */
  isCut = false;
  /** A part of statements that reaches the server as something else, as long. */
  misspell: string | null = null;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** @param url of the server, as `TEST_DATABASE_URL` has it */
  static async start(url: string): Promise<CommitProxy> {
    const server = createServer();
    const proxy = new CommitProxy(server, new URL(url));
    server.on('connection', (client) => {
      proxy.pass(client);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** @param text that one of the statements of the unit has: work in the background commits, too */
  next(fate: Fate, text: string): void {
    this.armed = { fate, text };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    const server = connect(Number(this.target.port || 3306), this.target.hostname);
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    let fate: Fate | null = null;
    let isMeant = false;
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      if (this.isCut) {
        end();
        return;
      }
      isMeant ||= this.armed !== null && bytes.includes(this.armed.text);
      if (isMeant && bytes.includes('COMMIT')) fate = this.take();
      if (fate === 'unsent') end();
      else server.write(this.changed(bytes));
    });
    server.on('data', (bytes) => {
      if (fate === null || fate === 'last') client.write(bytes);
      else if (fate === 'unanswered') end();
      if (fate !== 'last') return;
      this.isCut = true;
      fate = null;
    });
  }

  private changed(bytes: Buffer): Buffer {
    if (this.misspell === null) return bytes;
    return Buffer.from(bytes.toString('latin1').replace(this.misspell, 'X'.repeat(this.misspell.length)), 'latin1');
  }

  private take(): Fate | null {
    const fate = this.armed?.fate ?? null;
    this.armed = null;
    if (fate !== null) this.met += 1;
    return fate;
  }
}
