import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Forwards TCP connections to the database server; subclasses decide what becomes of the bytes. */
export abstract class TcpProxy {
  protected readonly sockets = new Set<Socket>();

  protected constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /**
   * Listens on a free port.
   *
   * @param url of the server, as `TEST_DATABASE_URL` has it
   */
  protected static async listen<Proxy extends TcpProxy>(
    url: string,
    make: (server: Server, target: URL) => Proxy,
  ): Promise<Proxy> {
    const server = createServer();
    const proxy = make(server, new URL(url));
    server.on('connection', (client) => {
      proxy.forward(client, connect(Number(proxy.target.port || 3306), proxy.target.hostname));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The address of the server behind the proxy, over the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  protected abstract forward(client: Socket, server: Socket): void;
}
