import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as RecordedSpan,
  type Tracer,
} from '@opentelemetry/api';
import { sampledParent, type TraceParent } from '../common/tracing/trace-parent.js';
import type { Attributes, Span, SpanEnd, SpanKind as Kind } from '../common/tracing/tracing.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** What a span begins with. */
interface Beginning {
  readonly kind: Kind;
  readonly name: string;
  readonly attributes: Attributes;
}

/** A span that OpenTelemetry keeps and sends. */
export class OtelSpan implements Span {
  readonly trace: TraceParent;

  private constructor(
    private readonly tracer: Tracer,
    private readonly span: RecordedSpan,
  ) {
    const { traceId, spanId } = span.spanContext();
    this.trace = sampledParent(traceId, spanId);
  }

  /** @param above what it stands below */
  static begin(tracer: Tracer, { kind, name, attributes }: Beginning, above: Context = ROOT_CONTEXT): OtelSpan {
    return new OtelSpan(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes }, above));
  }

  child(kind: Kind, name: string, attributes: Attributes): Span {
    return OtelSpan.begin(this.tracer, { kind, name, attributes }, trace.setSpan(ROOT_CONTEXT, this.span));
  }

  end({ name, attributes, isFailure = false }: SpanEnd = {}): void {
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes(attributes);
    if (isFailure) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/** The step of another service. */
export function remote({ traceId, spanId }: TraceParent): Context {
  const traceFlags = TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
