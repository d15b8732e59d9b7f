import { percentDecoded } from './urls/percent-decoded.js';
import { oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

/** Where traces are sent, and which. */
export interface TracingSettings {
  /** The whole address, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of requests without `traceparent`, and of jobs: the share that is recorded, 0 to 1. */
  readonly share: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const EXAMPLE = 'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.example.com:4318';
/** As the specification of OTLP has it. */
const PATH = 'v1/traces';
const SERVICE = 'content-service';
const SHARE = '0.01';
/** Of HTTP. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** @returns `null`: nothing is recorded */
export function tracingSettings(env: Environment, faults: SettingFaults): TracingSettings | null {
  const url = urlOf(env.OTEL_EXPORTER_OTLP_ENDPOINT, faults);
  oneOf(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    ['http/protobuf'] as const,
    env.OTEL_EXPORTER_OTLP_PROTOCOL,
    'http/protobuf',
    faults,
  );
  const headers = headersOf(env.OTEL_EXPORTER_OTLP_HEADERS, faults);
  const share = shareOf(env.OTEL_TRACES_SAMPLER_ARG, faults);
  const serviceName = env.OTEL_SERVICE_NAME ?? SERVICE;
  return url === null ? null : { url, headers, serviceName, share };
}

/** A fault never repeats the value: it may hold a password. */
function urlOf(text: string | undefined, faults: SettingFaults): string | null {
  if (text === undefined) return null;
  if (URL.canParse(text) && isAddress(new URL(text))) return new URL(PATH, text.endsWith('/') ? text : `${text}/`).href;
  faults.add(
    `OTEL_EXPORTER_OTLP_ENDPOINT is not the address of a collector. Use ${EXAMPLE}, without a password or a query: those go into OTEL_EXPORTER_OTLP_HEADERS.`,
  );
  return null;
}

function isAddress({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** `name=value,name=value`, where the values are percent-encoded. */
function headersOf(text: string | undefined, faults: SettingFaults): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  const headers = pairs.map(headerOf);
  if (headers.includes(null)) {
    faults.add(
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

function shareOf(text = SHARE, faults: SettingFaults): number {
  const share = Number(text);
  if (/^\d(\.\d+)?$/.test(text) && share <= 1) return share;
  faults.add(`OTEL_TRACES_SAMPLER_ARG is "${text}" and must be a share from 0 to 1: OTEL_TRACES_SAMPLER_ARG=${SHARE}.`);
  return 0;
}
