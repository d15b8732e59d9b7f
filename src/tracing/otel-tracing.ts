import {
  type Tracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as RecordedSpan,
} from '@opentelemetry/api';
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
import { packageInfo } from '../common/package-info.js';
import { inBackground } from '../common/jobs/background.js';
import { sampledParent } from '../common/tracing/request-scope.js';
import {
  Tracing,
  type Attributes,
  type Span,
  type SpanKind as Kind,
  type SpanEnd,
  type TraceParent,
} from '../common/tracing/tracing.js';

const NAME = 'content-service';
const STOP_LIMIT_MS = 2_000;

/** Sends spans by OTLP over HTTP in batches, beside all requests. Nothing is patched. OpenTelemetry reads `OTEL_…` itself. */
export class OtelTracing extends Tracing {
  override readonly isOn = true;
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    super();
    const { version } = packageInfo();
    const exporter = new WatchedExporter(new OTLPTraceExporter({ url }), log);
    const resource = resourceFromAttributes({ 'service.name': NAME, 'service.version': version });
    this.provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(resource)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BackgroundBatches(exporter)],
    });
    this.tracer = this.provider.getTracer(NAME, version);
  }

  override begin(kind: Kind, name: string, attributes: Attributes, parent: TraceParent | null): Span | null {
    const context = parent ? remote(parent) : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
    return span.isRecording() ? new OtelSpan(this.tracer, span) : null;
  }

  override async stop(): Promise<void> {
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

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

class OtelSpan implements Span {
  readonly trace: TraceParent;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: RecordedSpan,
  ) {
    const { traceId, spanId } = span.spanContext();
    this.trace = sampledParent(traceId, spanId);
  }

  child(kind: Kind, name: string, attributes: Attributes): Span {
    const above = trace.setSpan(ROOT_CONTEXT, this.span);
    return new OtelSpan(this.tracer, this.tracer.startSpan(name, { kind: KINDS[kind], attributes }, above));
  }

  end({ name, attributes, isFailure = false }: SpanEnd = {}): void {
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes(attributes);
    if (isFailure) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

function remote({ traceId, spanId, isSampled }: TraceParent): Context {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
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
