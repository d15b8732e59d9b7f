import { providerUnavailable } from './provider.errors.js';

/** For a whole answer, the body included. */
const LIMIT_MS = 5_000;
/** Of a body as it is read, so after decompression. */
const MAX_BYTES = 1_048_576;

/** What a provider answered: a JSON object, whatever its status. */
export interface ProviderAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Asks a provider. Whatever hangs, drips, is too long, leads elsewhere or is no JSON object ends within five seconds.
 *
 * @throws {DomainError} `provider_unavailable`
 */
export async function askProvider(url: string, init: RequestInit = {}): Promise<ProviderAnswer> {
  const call = new ProviderCall();
  try {
    return await call.run(url, init);
  } catch (cause) {
    throw providerUnavailable(cause);
  } finally {
    call.end();
  }
}

/**
 * One request with a timer of its own: an abort signal that was handed to `fetch` may, after a garbage collection,
 * no longer stop a body that is being read.
 */
class ProviderCall {
  private readonly abort = new AbortController();
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private timer: NodeJS.Timeout | undefined;

  async run(url: string, init: RequestInit): Promise<ProviderAnswer> {
    const tooLate = new Promise<never>((_, reject) => {
      this.timer = setTimeout(() => {
        reject(new Error(`no whole answer within ${LIMIT_MS} ms from ${url}`));
      }, LIMIT_MS);
    });
    return Promise.race([this.ask(url, init), tooLate]);
  }

  /** Whatever is still under way is given up. */
  end(): void {
    clearTimeout(this.timer);
    this.abort.abort();
    this.reader?.cancel().catch(() => undefined);
  }

  private async ask(url: string, init: RequestInit): Promise<ProviderAnswer> {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: this.abort.signal });
    if (response.status >= 300 && response.status < 400) throw new Error(`${url} leads elsewhere`);
    const text = utf8.decode(await this.read(response));
    return { status: response.status, body: jsonObject(text) };
  }

  private async read({ body }: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    this.reader = body?.getReader();
    for (;;) {
      const chunk = await this.reader?.read();
      if (chunk?.value === undefined) return Buffer.concat(chunks);
      size += chunk.value.length;
      if (size > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES} bytes`);
      chunks.push(chunk.value);
    }
  }
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('the answer is no object');
  return value as Readonly<Record<string, unknown>>; // an object of JSON has texts for keys
}
