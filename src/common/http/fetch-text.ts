import type { Span, SpanContext } from '@opentelemetry/api';
import { currentRequest, currentSpan, traceHeader } from '../tracing/request-scope.js';
import { clientSpan, noteStatus, traced } from '../tracing/traced.js';
import { isKnownMethod } from './request-kind.js';

export interface FetchLimits {
  /** For a whole answer, the body included. */
  readonly milliseconds: number;
  /** Bytes of the body as it is read, so after decompression. */
  readonly bytes: number;
}

export interface FetchedText {
  readonly status: number;
  readonly text: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Requests a text from another server, within the limits. The error does not name the address.
 * @throws {Error} there is no whole answer: it hangs, is too long, leads elsewhere, or is not UTF-8
 */
export async function fetchText(url: string, init: RequestInit, limits: FetchLimits): Promise<FetchedText> {
  const span = spanOf(url, init);
  const call = new OutgoingCall(limits, span?.spanContext() ?? currentRequest()?.trace);
  try {
    return await traced(span, call.run(url, init), noteAnswer);
  } finally {
    call.end();
  }
}

/** A span with the host and without the path: an address may have a secret. */
function spanOf(url: string, { method = 'GET' }: RequestInit): Span | undefined {
  const above = currentSpan();
  if (!above || !URL.canParse(url) || !isKnownMethod(method)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return clientSpan(above, method, {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  });
}

function noteAnswer(span: Span, { status }: FetchedText): void {
  noteStatus(span, status, 400);
}

/** One request with its own timer: after a garbage collection a signal of `fetch` may no longer stop a body being read. */
class OutgoingCall {
  private readonly abort = new AbortController();
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: FetchLimits,
    private readonly trace: SpanContext | null | undefined,
  ) {}

  async run(url: string, init: RequestInit): Promise<FetchedText> {
    const { milliseconds } = this.limits;
    const tooLate = new Promise<never>((_, reject) => {
      this.timer = setTimeout(() => {
        reject(new Error(`no whole answer within ${milliseconds} ms`));
      }, milliseconds);
    });
    return Promise.race([this.ask(url, init), tooLate]);
  }

  end(): void {
    clearTimeout(this.timer);
    this.abort.abort();
    this.reader?.cancel().catch(() => undefined);
  }

  private async ask(url: string, init: RequestInit): Promise<FetchedText> {
    const headers = new Headers(init.headers);
    if (this.trace) headers.set('traceparent', traceHeader(this.trace));
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: this.abort.signal });
    const { status } = response;
    if (status >= 300 && status < 400) throw new Error(`the answer ${status} leads elsewhere`);
    return { status, text: utf8.decode(await this.read(response)) };
  }

  private async read({ body }: Response): Promise<Buffer> {
    const { bytes } = this.limits;
    const chunks: Uint8Array[] = [];
    let size = 0;
    this.reader = body?.getReader();
    for (;;) {
      const chunk = await this.reader?.read();
      if (chunk?.value === undefined) return Buffer.concat(chunks);
      size += chunk.value.length;
      if (size > bytes) throw new Error(`the answer is longer than ${bytes} bytes`);
      chunks.push(chunk.value);
    }
  }
}
