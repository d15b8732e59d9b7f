import { list, oneOf } from './setting-parsers.js';
import type { SettingFaults } from './setting-faults.js';

/** A place in a network. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Where the service may connect to. */
export interface EgressSettings {
  /** Whether only to places that the settings name. */
  readonly isListed: boolean;
  /** Places that are in no other setting. */
  readonly hosts: readonly Destination[];
}

type Environment = Readonly<Record<string, string | undefined>>;

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

export function egressSettings(env: Environment, faults: SettingFaults): EgressSettings {
  return {
    isListed: oneOf('EGRESS', ['any', 'listed'] as const, env.EGRESS, 'any', faults) === 'listed',
    hosts: list(env.EGRESS_HOSTS).flatMap((text) => placeOf(text, faults)),
  };
}

function placeOf(text: string, faults: SettingFaults): Destination[] {
  const [, host = '', port] = PLACE.exec(text) ?? [];
  const place = { host, port: port === undefined ? HTTPS_PORT : Number(port) };
  if (host !== '' && place.port > 0 && place.port < 65_536) return [place];
  faults.add(
    `EGRESS_HOSTS has "${text}" and takes hosts, with a port other than 443 behind a colon: EGRESS_HOSTS=login.example.com,proxy.example.com:3128.`,
  );
  return [];
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
