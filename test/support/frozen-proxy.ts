import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between the service and its server, and lets nothing through while the server is to hang. */
export class FrozenProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  /** How many connections there were at most at once. */
  most = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** @param url of the server, as `TEST_DATABASE_URL` has it */
  static async start(url: string): Promise<FrozenProxy> {
    const server = createServer();
    const proxy = new FrozenProxy(server, new URL(url));
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

  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    const server = connect(Number(this.target.port || 3306), this.target.hostname);
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
