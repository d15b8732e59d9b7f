import type { OnApplicationShutdown } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inBackground } from '../common/jobs/background.js';
import { INSTRUMENTED } from '../common/tracing/traced.js';

const STOP_LIMIT_MS = 2_000;

/** Sends spans by OTLP over HTTP in batches, beside all requests. Nothing is patched. OpenTelemetry reads `OTEL_…` itself. */
export class OtelTracing implements OnApplicationShutdown {
  private readonly provider: NodeTracerProvider;
  private readonly isRegistered: boolean;

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    const resource = resourceFromAttributes({
      'service.name': INSTRUMENTED.name,
      'service.version': INSTRUMENTED.version,
    });
    this.provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(resource)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BackgroundBatches(new WatchedExporter(new OTLPTraceExporter({ url }), log))],
    });
    // Its own `register` would bring an `AsyncLocalStorage` that is always in use.
    this.isRegistered = trace.setGlobalTracerProvider(this.provider);
    if (!this.isRegistered) log.warn('another program has registered a provider of traces: spans go there');
  }

  /** Sends what is recorded, for two seconds at most. Nothing is recorded afterwards. */
  async onApplicationShutdown(): Promise<void> {
    if (this.isRegistered) trace.disable();
    const sent = this.provider.shutdown().then(
      () => true,
      () => false,
    );
    const late = sleep(STOP_LIMIT_MS, false, { ref: false });
    if (!(await Promise.race([sent, late]))) this.log.warn('the last spans could not be sent');
  }
}

/** Batches that are sent outside of requests, and keep none in memory. */
class BackgroundBatches extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    inBackground(() => {
      super.onEnd(span);
    });
  }
}

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
