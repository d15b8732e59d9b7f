/** The place of a request in the traces of the systems around the service. @see https://www.w3.org/TR/trace-context/ */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the step of the trace that led here. */
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly text: string;
}

/**
 * Facts of a span, of closed sets: never an id, a value of a statement, a path or a secret.
 * @see https://opentelemetry.io/docs/specs/semconv/
 */
export type Attributes = Readonly<Record<string, string | number>>;

/** `server`: a request that is answered; `client`: what a database or another service is asked; `internal`: a job. */
export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanEnd {
  /** In place of the one that it began with. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** True if it counts as a failure of what was asked, and not as a refusal. */
  readonly isFailure?: boolean;
}

/** A step of a trace that is recorded, from its making to its end. */
export interface Span {
  readonly trace: TraceParent;
  child(kind: SpanKind, name: string, attributes: Attributes): Span;
  /** Once only. */
  end(end?: SpanEnd): void;
}

/** Begins traces, and steps in the traces of others. Records nothing by itself. */
export class Tracing {
  readonly isOn: boolean = false;

  /** @param _parent the step of another service; `null`: a trace of its own @returns `null`: the trace is not recorded */
  begin(_kind: SpanKind, _name: string, _attributes: Attributes, _parent: TraceParent | null): Span | null {
    return null;
  }

  /** Sends what is recorded, for two seconds at most. Nothing is recorded afterwards. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
