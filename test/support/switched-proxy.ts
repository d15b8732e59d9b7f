import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One address in front of several servers, as a proxy or a DNS name is: all connections go to the server that it leads to. */
export class SwitchedProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {}

  /** @param url of the first server */
  static async start(url: string): Promise<SwitchedProxy> {
    const server = createServer();
    const proxy = new SwitchedProxy(server, new URL(url));
    server.on('connection', (client) => {
      proxy.forward(client);
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

  /** Leads to another server from now on, and ends all connections to the former. */
  switchTo(url: string): void {
    this.target = new URL(url);
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  }
}
