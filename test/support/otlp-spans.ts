/** A span as a collector sees it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it begins its trace. */
  readonly parentId: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
  /** Nanoseconds. */
  readonly duration: number;
  /** Of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** The values of a message by the numbers of its fields, in their order. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

const KINDS: Readonly<Record<string, ReceivedSpan['kind']>> = { 1: 'internal', 2: 'server', 3: 'client' };
const ERROR = 2n;

/**
 * The spans of an `ExportTraceServiceRequest`, read by the numbers of its published definition and not by the code that
 * wrote it. @see https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/opentelemetry/proto/trace/v1/trace.proto
 */
export function spansIn(request: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const [resource] = messages(ofResource, 1);
    const attributes = resource ? attributesOf(resource, 1) : {};
    return messages(ofResource, 2).flatMap((ofScope) => messages(ofScope, 2).map((span) => spanOf(span, attributes)));
  });
}

function spanOf(span: Fields, resource: ReceivedSpan['resource']): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    name: text(span, 5),
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    parentId: bytes(span, 4).toString('hex'),
    kind: KINDS[String(number(span, 6))] ?? 'internal',
    attributes: attributesOf(span, 9),
    isError: status !== undefined && number(status, 3) === ERROR,
    duration: Number(number(span, 8) - number(span, 7)),
    resource,
  };
}

/** `KeyValue`s, whose values are texts or numbers. */
function attributesOf(message: Fields, field: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      return [text(pair, 1), value.has(3) ? Number(number(value, 3)) : text(value, 1)];
    }),
  );
}

function messages(message: Fields, field: number): Fields[] {
  return (message.get(field) ?? []).map((value) => fieldsOf(value as Buffer));
}

function bytes(message: Fields, field: number): Buffer {
  return (message.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer;
}

function text(message: Fields, field: number): string {
  return bytes(message, field).toString('utf8');
}

function number(message: Fields, field: number): bigint {
  return (message.get(field)?.[0] ?? 0n) as bigint;
}

/** @see https://protobuf.dev/programming-guides/encoding/ */
function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  for (let at = 0; at < message.length;) {
    const tag = varint(message, at);
    const { value, end } = valueAt(message, tag.end, Number(tag.value & 7n));
    const field = Number(tag.value >> 3n);
    fields.set(field, [...(fields.get(field) ?? []), value]);
    at = end;
  }
  return fields;
}

function valueAt(message: Buffer, at: number, wireType: number): { value: Buffer | bigint; end: number } {
  if (wireType === 0) return varint(message, at);
  if (wireType === 1) return { value: message.readBigUInt64LE(at), end: at + 8 };
  if (wireType === 5) return { value: BigInt(message.readUInt32LE(at)), end: at + 4 };
  if (wireType !== 2) throw new Error(`There is no wire type ${String(wireType)}.`);
  const length = varint(message, at);
  const end = length.end + Number(length.value);
  return { value: message.subarray(length.end, end), end };
}

function varint(message: Buffer, at: number): { value: bigint; end: number } {
  let value = 0n;
  for (let end = at, shift = 0n; ; shift += 7n) {
    const byte = message.readUInt8(end);
    value |= BigInt(byte & 127) << shift;
    end += 1;
    if (byte < 128) return { value, end };
  }
}
