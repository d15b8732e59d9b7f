import type { Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy.js';

/**
 * What becomes of a `COMMIT`: it is passed on and the connection dropped instead of answering, it is dropped
 * without being passed on, it is passed on and the answer kept back for good, or it is answered and is the last
 * statement that is: whatever is asked next, and on whatever connection, drops that.
 */
type Fate = 'unanswered' | 'unsent' | 'silent' | 'last';

/** Stands between the service and its server, and lets the `COMMIT` of one unit of work meet its fate. */
export class CommitProxy extends TcpProxy {
  private armed: { readonly fate: Fate; readonly text: string } | null = null;
  /** How many `COMMIT`s have met theirs. */
  met = 0;
  /** Whether nothing is answered any more. */
  isCut = false;
  /** A part of statements that reaches the server as something else, as long. */
  misspell: string | null = null;

  /** @param url of the server, as `TEST_DATABASE_URL` has it */
  static start(url: string): Promise<CommitProxy> {
    return this.listen(url, (server, target) => new CommitProxy(server, target));
  }

  /** @param text that one of the statements of the unit has: work in the background commits, too */
  next(fate: Fate, text: string): void {
    this.armed = { fate, text };
  }

  protected forward(client: Socket, server: Socket): void {
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
