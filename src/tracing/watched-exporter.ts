import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';

/** What an exporter says of a batch. */
type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const QUIET_MS = 60_000;

/** Says in the log that spans could not be sent: at once, and then in one line a minute with how many were lost. */
export class WatchedExporter implements SpanExporter {
  private quietUntil = -Infinity;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  export(spans: ReadableSpan[], done: (result: Result) => void): void {
    this.exporter.export(spans, (result) => {
      // A success has none.
      if (result.error) this.failed(spans.length, result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private failed(spans: number, error: Error): void {
    this.lost += spans;
    const now = this.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + QUIET_MS;
    this.log.warn({ spans: this.lost, reason: reasonOf(error) }, 'spans could not be sent, and are lost');
    this.lost = 0;
  }
}

/** A code of Node.js or of HTTP where there is one; never the answer of the other side, which may repeat a header. */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  const { code, message } = error;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : message;
}
