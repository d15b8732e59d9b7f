import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes traces and counts them, in the process of the harness. */
export class Collector {
  bytes = 0;
  batches = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.batches += 1;
      request.on('data', (chunk: Buffer) => (this.bytes += chunk.length));
      request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Collector(server);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
