import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { inBackground } from '../common/jobs/background.js';
import type { TraceParent } from '../common/tracing/trace-parent.js';
import { Tracing, type Attributes, type Span, type SpanKind as Kind } from '../common/tracing/tracing.js';
import type { TracingSettings } from '../config/tracing-settings.js';
import { OtelSpan, remote } from './otel-span.js';
import { WatchedExporter } from './watched-exporter.js';

const NAME = 'content-service';
/** A stop waits no longer for a collector. */
const STOP_LIMIT_MS = 2_000;

/** What the traces of a process need beside the settings. */
interface Process {
  readonly version: string;
  readonly log: Logger;
}

/** Sends spans by OTLP over HTTP, in batches and beside all requests. Nothing of Node.js or of a driver is patched. */
export class OtelTracing extends Tracing {
  readonly isOn = true;
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;
  private readonly share: number;
  private readonly log: Logger;

  constructor({ url, headers, serviceName, share }: TracingSettings, { version, log }: Process) {
    super();
    const exporter = new WatchedExporter(new OTLPTraceExporter({ url, headers }), log);
    const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
    this.provider = new NodeTracerProvider({
      resource: defaultResource().merge(resource),
      // What is not recorded never gets here.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BackgroundBatches(exporter)],
    });
    this.tracer = this.provider.getTracer(NAME, version);
    this.share = share;
    this.log = log;
  }

  begin(kind: Kind, name: string, attributes: Attributes, parent: TraceParent | null): Span | null {
    const isRecorded = parent === null ? Math.random() < this.share : parent.isSampled;
    return isRecorded
      ? OtelSpan.begin(this.tracer, { kind, name, attributes }, parent ? remote(parent) : undefined)
      : null;
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, STOP_LIMIT_MS, false);
    });
    const sent = this.provider.shutdown().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([sent, late]))) this.log.warn('the last spans could not be sent');
    clearTimeout(timer);
  }
}

/** What it sends and waits for belongs to no request, and keeps none in memory. */
class BackgroundBatches extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    inBackground(() => {
      super.onEnd(span);
    });
  }
}
