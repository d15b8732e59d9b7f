import { percentDecoded } from './values/addresses.js';
import type { SettingReader } from './values/setting-reader.js';

/** Where traces are sent, and which. */
export interface TracingSettings {
  /** The whole address, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of requests without `traceparent`, and of jobs: the share that is recorded, 0 to 1. */
  readonly share: number;
}

const EXAMPLE = 'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.example.com:4318';
/** As the specification of OTLP has it. */
const PATH = 'v1/traces';
const SERVICE = 'content-service';
const SHARE = '0.01';
/** Of HTTP. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** @returns `null`: nothing is recorded */
export function tracingSettings(reader: SettingReader): TracingSettings | null {
  const url = urlOf(reader);
  reader.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const headers = headersOf(reader.text('OTEL_EXPORTER_OTLP_HEADERS'), reader);
  const share = shareOf(reader);
  const serviceName = reader.text('OTEL_SERVICE_NAME') ?? SERVICE;
  return url === null ? null : { url, headers, serviceName, share };
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

/** `name=value,name=value`, where the values are percent-encoded. */
function headersOf(text: string | undefined, reader: SettingReader): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  const headers = pairs.map(headerOf);
  if (headers.includes(null)) {
    reader.fault(
      'OTEL_EXPORTER_OTLP_HEADERS has an entry that is no header. Use OTEL_EXPORTER_OTLP_HEADERS=api-key=secret,x-team=cms, with values that are percent-encoded.',
    );
  }
  return Object.fromEntries(headers.filter((header) => header !== null));
}

function headerOf(pair: string): readonly [string, string] | null {
  const [, name = '', encoded = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? [];
  const value = percentDecoded(encoded.trim());
  return HEADER_NAME.test(name) && value !== null && HEADER_VALUE.test(value) ? [name, value] : null;
}

function shareOf(reader: SettingReader): number {
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG') ?? SHARE;
  const share = Number(text);
  if (/^\d(\.\d+)?$/.test(text) && share <= 1) return share;
  reader.fault(
    `OTEL_TRACES_SAMPLER_ARG is "${text}" and must be a share from 0 to 1: OTEL_TRACES_SAMPLER_ARG=${SHARE}.`,
  );
  return 0;
}
