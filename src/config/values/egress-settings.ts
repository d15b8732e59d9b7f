import type { SettingReader } from './setting-reader.js';

/** A place in a network. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

const HTTPS_PORT = 443;
const PLACE = /^(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d._-]*[a-z\d])?)(?::(\d{1,5}))?$/i;
/** Schemes of addresses that are connected to, and the port that they leave out. */
const USUAL_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': HTTPS_PORT,
  'mysql:': 3306,
  'redis:': 6379,
  'rediss:': 6379,
};

/** Where the service may connect to. */
export function egressSettings(reader: SettingReader) {
  const takes =
    'hosts, with a port other than 443 behind a colon: EGRESS_HOSTS=login.example.com,proxy.example.com:3128';
  const hosts = reader.list('EGRESS_HOSTS', (text) => placeOf(text) !== null, takes);
  return {
    /** Whether only to places that the settings name. */
    isListed: reader.oneOf('EGRESS', ['any', 'listed'], 'any') === 'listed',
    /** Places that are in no other setting. */
    hosts: hosts.map(placeOf).filter((place) => place !== null),
  };
}

function placeOf(text: string): Destination | null {
  const [, host = '', port = HTTPS_PORT] = PLACE.exec(text) ?? [];
  return host !== '' && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : null;
}

/**
 * All places that settings name, so that a new setting needs no entry anywhere: each text that is an address, and each object
 * with a host and a port.
 */
export function placesIn(settings: unknown): Destination[] {
  if (typeof settings === 'string') return placesOfText(settings);
  if (typeof settings !== 'object' || settings === null) return [];
  const { host, port } = settings as Partial<Record<keyof Destination, unknown>>; // looked at in the next line
  const own = typeof host === 'string' && typeof port === 'number' ? [{ host, port }] : [];
  const parts: unknown[] = settings instanceof Map ? [...settings.values()] : Object.values(settings);
  return [...own, ...parts.flatMap(placesIn)];
}

function placesOfText(text: string): Destination[] {
  if (!URL.canParse(text)) return [];
  const { protocol, hostname, port } = new URL(text);
  const usual = USUAL_PORTS[protocol];
  return usual === undefined ? [] : [{ host: hostname, port: port === '' ? usual : Number(port) }];
}
