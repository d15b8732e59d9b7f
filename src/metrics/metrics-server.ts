import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

const PATH = '/metrics';
const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Shows the metrics on a port of their own. It asks for no credential: that port is for the network of the operator. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /** @throws where the port is taken */
  static async open(
    registry: Registry,
    where: { readonly host: string; readonly port: number },
  ): Promise<MetricsServer> {
    const server = createServer(
      { requestTimeout: 10_000 },
      (request, response) => void answer(registry, request, response),
    );
    server.listen(where.port, where.host);
    await once(server, 'listening');
    return new MetricsServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function answer(registry: Registry, { method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url !== PATH) send(response, 404, `There is nothing here but ${PATH}.\n`);
  else if (method !== 'GET' && method !== 'HEAD') send(response.setHeader('Allow', 'GET, HEAD'), 405, 'Use GET.\n');
  else send(response, 200, await registry.metrics());
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': CONTENT_TYPE }).end(text);
}
