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
      settings: {
        url: 'http://collector:4318/v1/traces',
        variables: {
          ...ENDPOINT,
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: '0.01',
        },
      },
      faults: [],
    });
  });

  it('hand all other variables of OpenTelemetry on as they are', () => {
    const others = {
      OTEL_TRACES_SAMPLER_ARG: '0.5',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb',
      OTEL_SERVICE_NAME: 'cms',
    };

    expect(read({ ...ENDPOINT, ...others, PORT: '3000' }).settings?.variables).toEqual({
      ...ENDPOINT,
      ...others,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
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
});
