import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { pino } from 'pino';
import { WatchedExporter } from './otel-tracing.js';

/** What an exporter answers with. */
type Code = Parameters<Parameters<SpanExporter['export']>[1]>[0]['code'];
// Their enumeration is of a package that is not ours to import.
const [SUCCESS, FAILED] = [0, 1] as unknown as readonly [Code, Code];

describe('Spans that cannot be sent', () => {
  let now: number;
  let lines: Record<string, unknown>[];
  let exporter: WatchedExporter;
  let error: (Error & { code?: unknown }) | undefined;

  beforeEach(() => {
    [now, lines, error] = [1_000, [], Object.assign(new Error('the answer of a collector'), { code: 401 })];
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const collector: SpanExporter = {
      export: (_spans, done) => {
        done(error ? { code: FAILED, error } : { code: SUCCESS });
      },
      shutdown: () => Promise.resolve(),
    };
    exporter = new WatchedExporter(collector, log, () => now);
  });

  /** @returns what the exporter said of them */
  function send(count: number): number {
    let code = NaN;
    exporter.export(new Array<ReadableSpan>(count), (result) => (code = result.code));
    return code;
  }

  it('are a line at once, and then one a minute with their number', () => {
    expect(send(2)).toBe(1);
    now += 59_999;
    send(3);
    expect(lines).toEqual([{ level: 40, spans: 2, reason: '401', msg: 'spans could not be sent, and are lost' }]);

    now += 1;
    send(4);
    expect(lines.slice(1)).toEqual([expect.objectContaining({ spans: 7 })]);
  });

  it('are named by what Node.js says where there is no code', () => {
    error = new Error('Request timed out');
    send(1);

    expect(lines).toEqual([expect.objectContaining({ reason: 'Request timed out' })]);
  });

  it('are no line where they could be', () => {
    error = undefined;

    expect(send(1)).toBe(0);
    expect(lines).toEqual([]);
  });
});
