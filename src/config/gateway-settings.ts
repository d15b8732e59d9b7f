import type { Gateway } from '../common/http/arriving/gateway.js';
import { guessableSecret } from './values/app-secret.js';
import type { SettingReader } from './values/setting-reader.js';

/** Facts of a gateway in front of the service. */
const MAX_BASE_PATH = 100;
const MIN_SECRET_BYTES = 32;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;
/** A segment that clients resolve away, and paths that answer without the base path. */
const UNUSABLE = /\/\.{1,2}(?:\/|$)|^\/health(?:\/|$)/;
/** Headers that no browser and no gateway sends by itself begin so. */
const TOKEN_HEADER = /^x-[a-z0-9-]{1,60}$/;
/** Written by gateways. */
const FORWARDED = /^x-(?:forwarded|real-ip|request-id|auth-|gateway-)/;

export function gatewaySettings(reader: SettingReader): Gateway {
  return {
    basePath: basePath(reader),
    isBasePathStripped: reader.oneOf('BASE_PATH_STRIPPED', ['yes', 'no'], 'no') === 'yes',
    keepAliveSeconds: reader.integer('KEEP_ALIVE_S', 75, { min: 1, max: 7_200 }),
    tokenHeader: tokenHeader(reader),
    namesUsers: reader.text('GATEWAY_SECRET') !== undefined,
    maxRequests: reader.integer('MAX_REQUESTS', 512, { min: 1, max: 100_000 }),
  };
}

function basePath(reader: SettingReader): string {
  const text = reader.text('BASE_PATH');
  if (text === undefined) return '';
  if (BASE_PATH.test(text) && !UNUSABLE.test(text) && text.length <= MAX_BASE_PATH) return text;
  reader.fault(
    `BASE_PATH is "${text}" and must be a path without a slash at its end, of letters, digits and . _ ~ -, at most ${MAX_BASE_PATH} characters, not below /health: BASE_PATH=/cms.`,
  );
  return '';
}

function tokenHeader(reader: SettingReader): string | null {
  const text = reader.text('TOKEN_HEADER');
  if (text === undefined) return null;
  const name = text.toLowerCase();
  if (TOKEN_HEADER.test(name) && !FORWARDED.test(name)) return name;
  reader.fault(
    `TOKEN_HEADER is "${text}" and must be the name of a header of your own that begins with X- and that gateways do not write: TOKEN_HEADER=X-Content-Token.`,
  );
  return null;
}

/** The secret of a gateway; `null`: headers that name a user are not read. A number of hops does not say who connects. */
export function gatewaySecret(reader: SettingReader): string | null {
  const [secret, users] = [reader.text('GATEWAY_SECRET'), reader.text('GATEWAY_USERS')];
  const proxies = reader.text('TRUST_PROXY');
  if (secret === undefined) {
    if (users !== undefined) reader.fault('GATEWAY_USERS is set, and GATEWAY_SECRET is not: set both, or none.');
    return null;
  }
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES || guessableSecret(secret) !== null) {
    reader.fault(`GATEWAY_SECRET must have ${MIN_SECRET_BYTES} bytes or more, by chance: openssl rand -hex 32.`);
  }
  if (users === undefined) reader.fault('GATEWAY_SECRET is set, and GATEWAY_USERS is not: set both, or none.');
  if (proxies === undefined || /^\d+$/.test(proxies)) {
    reader.fault('GATEWAY_SECRET needs TRUST_PROXY with the networks of the gateway: TRUST_PROXY=10.0.0.0/8.');
  }
  return secret;
}
