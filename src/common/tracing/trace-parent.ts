/** Where a request belongs to, in the traces of the systems around the service. @see https://www.w3.org/TR/trace-context/ */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The header as it came. */
  readonly text: string;
}

/** Neither an id of zeros nor version ff is one; later versions than the first may have more behind the flags. */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.{1,400})?$/;
const FIRST_VERSION = '00-';

/** @returns `null` where the header is missing or not valid: none is made up */
export function traceParent(header: string | string[] | undefined): TraceParent | null {
  const [text, traceId, more] = FORM.exec(typeof header === 'string' ? header : '') ?? [];
  if (text === undefined || traceId === undefined) return null;
  return more !== undefined && text.startsWith(FIRST_VERSION) ? null : { traceId, text };
}
