import { tracingSettings, type TracingSettings } from './tracing-settings.js';
import { SettingReader } from './values/setting-reader.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function read(environment: Record<string, string>): { settings: TracingSettings | null; faults: readonly string[] } {
  const reader = new SettingReader(environment);
  return { settings: tracingSettings(reader), faults: reader.faults };
}

describe('The settings of traces', () => {
  it('are none without an endpoint', () => {
    expect(read({ OTEL_SERVICE_NAME: 'cms' })).toEqual({ settings: null, faults: [] });
  });

  it('have defaults', () => {
    expect(read(ENDPOINT)).toEqual({
      settings: { url: 'http://collector:4318/v1/traces', headers: {}, serviceName: 'content-service', share: 0.01 },
      faults: [],
    });
  });

  it.each([
    ['https://otlp.example.com', 'https://otlp.example.com/v1/traces'],
    ['https://otlp.example.com/', 'https://otlp.example.com/v1/traces'],
    ['https://otlp.example.com/team/otlp', 'https://otlp.example.com/team/otlp/v1/traces'],
  ])('put the path of OTLP behind %s', (text, url) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: text }).settings?.url).toBe(url);
  });

  it.each(['collector:4317', 'grpc://collector', 'http://user:secret@collector', 'http://collector/?key=secret'])(
    'refuse the endpoint %s, without a word of what it holds',
    (text) => {
      const { settings, faults } = read({ OTEL_EXPORTER_OTLP_ENDPOINT: text });

      expect([settings, faults.length]).toEqual([null, 1]);
      expect(faults[0]).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is not the address of a collector/);
      expect(faults[0]).not.toContain('secret');
    },
  );

  it('decode headers', () => {
    const { settings } = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb%3D, x-team = cms ,' });

    expect(settings?.headers).toEqual({ 'api-key': 'a,b=', 'x-team': 'cms' });
  });

  it.each(['secret', 'a b=secret', 'a=%E0secret', 'a=secret%0d%0ax: y'])('refuse the headers %j', (text) => {
    const { faults } = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: text });

    expect(faults).toEqual([expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS has an entry that is no header/)]);
    expect(faults[0]).not.toContain('%');
  });

  it.each(['0', '1', '0.25', '1.0'])('take the share %s', (text) => {
    expect(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: text }).settings?.share).toBe(Number(text));
  });

  it.each(['1.01', '-0.1', '50%', '1e-2', 'all'])('refuse the share %s', (text) => {
    expect(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: text }).faults).toEqual([
      expect.stringContaining(`OTEL_TRACES_SAMPLER_ARG is "${text}"`),
    ]);
  });

  it('refuse another protocol', () => {
    expect(read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).faults).toHaveLength(1);
  });
});
