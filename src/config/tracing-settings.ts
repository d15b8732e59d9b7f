import type { SettingReader } from './values/setting-reader.js';

export interface TracingSettings {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
}

const EXAMPLE = 'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.example.com:4318';
/** As the specification of OTLP has it. */
const PATH = 'v1/traces';
/** A hundredth of the requests without `traceparent`, and of the jobs. */
const USUAL = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };

/** @returns `null`: nothing is recorded */
export function tracingSettings(reader: SettingReader): TracingSettings | null {
  const url = urlOf(reader);
  return url === null ? null : { url, variables: { ...USUAL, ...reader.beginningWith('OTEL_') } };
}

/** Puts the variables where the packages of OpenTelemetry look for them: they know nothing of the file `.env`. */
export function provideVariables({ variables }: TracingSettings): void {
  Object.assign(process.env, variables);
}

/** A fault never repeats the value: it may hold a password. */
function urlOf(reader: SettingReader): string | null {
  const text = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (text === undefined) return null;
  if (URL.canParse(text) && isAddress(new URL(text))) return new URL(PATH, text.endsWith('/') ? text : `${text}/`).href;
  reader.fault(
    `OTEL_EXPORTER_OTLP_ENDPOINT is not the address of a collector. Use ${EXAMPLE}, without a password or a query: those go into OTEL_EXPORTER_OTLP_HEADERS.`,
  );
  return null;
}

function isAddress({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}
