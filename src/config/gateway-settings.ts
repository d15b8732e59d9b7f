import type { Gateway } from '../common/http/arriving/gateway.js';
import { guessableSecret } from './values/guessable-secret.js';
import { integer, oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

/** What a gateway in front of the service is known to do. */
export type GatewaySettings = Gateway;

const MAX_BASE_PATH = 100;
const MIN_SECRET_BYTES = 32;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;
/** A segment that clients resolve away, and paths that answer without the base path. */
const UNUSABLE = /\/\.{1,2}(?:\/|$)|^\/health(?:\/|$)/;
/** Headers that no browser and no gateway sends by itself begin so. */
const TOKEN_HEADER = /^x-[a-z0-9-]{1,60}$/;
/** Written by gateways. */
const FORWARDED = /^x-(?:forwarded|real-ip|request-id|auth-|gateway-)/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks what the gateway does. What does not fit is added to the faults. */
export function gatewaySettings(env: Environment, faults: SettingFaults): GatewaySettings {
  const stripped = oneOf('BASE_PATH_STRIPPED', ['yes', 'no'] as const, env.BASE_PATH_STRIPPED, 'no', faults);
  return {
    basePath: basePath(env.BASE_PATH, faults),
    isBasePathStripped: stripped === 'yes',
    keepAliveSeconds: integer('KEEP_ALIVE_S', env.KEEP_ALIVE_S, 75, { min: 1, max: 7_200 }, faults),
    idleSeconds: integer('SOCKET_IDLE_S', env.SOCKET_IDLE_S, 120, { min: 10, max: 7_200 }, faults),
    maxHeaderKb: integer('MAX_HEADER_KB', env.MAX_HEADER_KB, 32, { min: 16, max: 128 }, faults),
    tokenHeader: tokenHeader(env.TOKEN_HEADER, faults),
    namesUsers: env.GATEWAY_SECRET !== undefined,
    isPacking: oneOf('COMPRESS', ['on', 'off'] as const, env.COMPRESS, 'off', faults) === 'on',
    maxRequests: integer('MAX_REQUESTS', env.MAX_REQUESTS, 512, { min: 1, max: 100_000 }, faults),
    maxLoopDelayMs: integer('MAX_LOOP_DELAY_MS', env.MAX_LOOP_DELAY_MS, 500, { min: 0, max: 60_000 }, faults),
  };
}

function basePath(text: string | undefined, faults: SettingFaults): string {
  if (text === undefined) return '';
  if (BASE_PATH.test(text) && !UNUSABLE.test(text) && text.length <= MAX_BASE_PATH) return text;
  faults.add(
    `BASE_PATH is "${text}" and must be a path without a slash at its end, of letters, digits and . _ ~ -, at most ${MAX_BASE_PATH} characters, not below /health: BASE_PATH=/cms.`,
  );
  return '';
}

function tokenHeader(text: string | undefined, faults: SettingFaults): string | null {
  if (text === undefined) return null;
  const name = text.toLowerCase();
  if (TOKEN_HEADER.test(name) && !FORWARDED.test(name)) return name;
  faults.add(
    `TOKEN_HEADER is "${text}" and must be the name of a header of your own that begins with X- and that gateways do not write: TOKEN_HEADER=X-Content-Token.`,
  );
  return null;
}

/**
 * The secret by which a gateway proves itself. `null`: headers that name a user are not read.
 *
 * The networks of the gateway have to be known as well: a number of hops says nothing about who connects.
 */
export function gatewaySecret(env: Environment, faults: SettingFaults): string | null {
  const secret = env.GATEWAY_SECRET;
  const users = env.GATEWAY_USERS;
  const proxies = env.TRUST_PROXY;
  if (secret === undefined) {
    if (users !== undefined) faults.add('GATEWAY_USERS is set, and GATEWAY_SECRET is not: set both, or none.');
    return null;
  }
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES || guessableSecret(secret) !== null) {
    faults.add(`GATEWAY_SECRET must have ${MIN_SECRET_BYTES} bytes or more, by chance: openssl rand -hex 32.`);
  }
  if (users === undefined) faults.add('GATEWAY_SECRET is set, and GATEWAY_USERS is not: set both, or none.');
  if (proxies === undefined || /^\d+$/.test(proxies)) {
    faults.add('GATEWAY_SECRET needs TRUST_PROXY with the networks of the gateway: TRUST_PROXY=10.0.0.0/8.');
  }
  return secret;
}
