import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A gateway that offers a service below `/cms`, strips that, and has nothing at any other path. */
export class SubPathGateway {
  /** Paths that were asked for beside the service. */
  readonly outside: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(service: Server): Promise<SubPathGateway> {
    const { port } = service.address() as AddressInfo;
    const server = createServer((incoming, answer) => {
      const { url = '/', method, headers } = incoming;
      if (!url.startsWith('/cms/')) {
        gateway.outside.push(url);
        answer.writeHead(404).end();
        return;
      }
      const onward = request({ port, host: '127.0.0.1', path: url.slice('/cms'.length), method, headers }, (back) => {
        answer.writeHead(back.statusCode ?? 502, back.headers);
        back.pipe(answer);
      });
      incoming.pipe(onward);
    });
    const gateway = new SubPathGateway(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return gateway;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/cms`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
