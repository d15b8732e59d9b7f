import type { Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy.js';

/** How many of these bytes are passed on before the connection is cut; `null`: all of them, and it stays. */
type Knife = (from: 'client' | 'server', bytes: Buffer, connection: Socket) => number | null;

/** Stands between a client and its server, and cuts one connection where it is asked to. */
export class CutProxy extends TcpProxy {
  private knife: Knife | null = null;

  /** @param url of the server */
  static start(url: string): Promise<CutProxy> {
    return this.listen(url, (server, target) => new CutProxy(server, target));
  }

  /** Whether what {@link next} was given has not cut yet. */
  get isArmed(): boolean {
    return this.knife !== null;
  }

  /** @param knife is asked until it cuts; `null`: nothing is cut */
  next(knife: Knife | null): void {
    this.knife = knife;
  }

  protected forward(client: Socket, server: Socket): void {
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const [from, to, name] of [
      [client, server, 'client'],
      [server, client, 'server'],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('error', end).on('close', end);
      from.on('data', (bytes) => {
        const passed = this.knife?.(name, bytes, client) ?? null;
        if (passed === null) to.write(bytes);
        else {
          this.knife = null;
          to.write(bytes.subarray(0, passed), end);
        }
      });
    }
  }
}
