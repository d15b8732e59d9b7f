import type { Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy.js';

/** Stands between the service and its server, and lets nothing through while the server is to hang. */
export class FrozenProxy extends TcpProxy {
  isFrozen = false;
  /** How many connections there were at most at once. */
  most = 0;

  /** @param url of the server, as `TEST_DATABASE_URL` has it */
  static start(url: string): Promise<FrozenProxy> {
    return this.listen(url, (server, target) => new FrozenProxy(server, target));
  }

  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** What is open now hangs, as when its machine has gone; what is opened from now on leads to a server that answers. */
  freezeOpen(): void {
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  protected forward(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.isFrozen) from.pause();
    }
    this.most = Math.max(this.most, this.sockets.size / 2);
  }
}
