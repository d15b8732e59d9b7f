/** Where a request belongs to, in the traces of the systems around the service. @see https://www.w3.org/TR/trace-context/ */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the step of the trace that led here. */
  readonly spanId: string;
  /** Whether the sender records the trace. */
  readonly isSampled: boolean;
  /** The header as it came, or as it is sent. */
  readonly text: string;
}

/** Neither an id of zeros nor version ff is one; later versions than the first may have more behind the flags. */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.{1,400})?$/;
const FIRST_VERSION = '00-';
const SAMPLED = 1;

/** @returns `null` where the header is missing or not valid: none is made up */
export function traceParent(header: string | string[] | undefined): TraceParent | null {
  const found = FORM.exec(typeof header === 'string' ? header : '');
  if (!found) return null;
  const [text, traceId = '', spanId = '', flags = '', more] = found;
  if (more !== undefined && text.startsWith(FIRST_VERSION)) return null;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED, text };
}

/** What services that are asked within a recorded span are sent. */
export function sampledParent(traceId: string, spanId: string): TraceParent {
  return { traceId, spanId, isSampled: true, text: `${FIRST_VERSION}${traceId}-${spanId}-01` };
}
