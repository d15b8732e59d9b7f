import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spansIn, type ReceivedSpan } from './otlp-spans.js';

/** What a collector does with a request; `hang`: it takes it, and never answers. */
type Mood = 'answer' | 'hang' | 'refuse';

/** A collector of traces on a real port: OTLP over HTTP, in protobuf. */
export class OtlpReceiver {
  mood: Mood = 'answer';
  readonly spans: ReceivedSpan[] = [];
  /** Headers of the requests, in the order of their arrival. */
  readonly headers: IncomingMessage['headers'][] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.take(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtlpReceiver(server);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** The spans of a name, as soon as there is one. */
  async named(name: string): Promise<ReceivedSpan> {
    for (;;) {
      const found = this.spans.find((span) => span.name === name);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    if (this.mood === 'hang') return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fits = request.method === 'POST' && request.url === '/v1/traces' && this.mood === 'answer';
    if (fits) this.spans.push(...spansIn(Buffer.concat(chunks)));
    response.writeHead(fits ? 200 : 400, { 'Content-Type': 'application/x-protobuf' }).end();
  }
}
