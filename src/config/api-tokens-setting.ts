import { createHash } from 'node:crypto';
import { isScope } from '../common/access/caller.js';
import type { Faults } from './setting-parsers.js';

/** An API token that the operator provides by configuration. Only the hash of its secret stays in memory. */
export interface ConfiguredToken {
  readonly name: string;
  /** SHA-256 of the secret, lower-case hexadecimal. */
  readonly sha256: string;
  readonly scopes: readonly string[];
}

const MIN_SECRET_LENGTH = 24;
const EXAMPLE = 'API_TOKENS=ci=<24 or more characters>;records:read drafts:read,gateway=sha256:<64 hex digits>';

/**
 * Parses `name=secret[;scope scope…],…`. A secret may be given as `sha256:<hex>`; without scopes a token may do everything.
 */
export function apiTokens(text: string | undefined, faults: Faults): ConfiguredToken[] {
  const tokens = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap((entry, index) => apiToken(entry, index + 1, faults));
  const names = tokens.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  for (const name of new Set(twice)) faults.add(`API_TOKENS has two tokens named "${name}". Give each its own name.`);
  return tokens;
}

/** Never repeats the entry in a fault: it holds a secret. */
function apiToken(entry: string, position: number, faults: Faults): ConfiguredToken[] {
  const match = /^([^=;]{1,100})=([^;]*)(?:;(.*))?$/.exec(entry);
  if (!match) {
    faults.add(`API_TOKENS entry ${position} is not name=secret[;scopes]. Example: ${EXAMPLE}.`);
    return [];
  }
  const [, name = '', secret = '', scopeText = '*'] = match;
  const sha256 = hashOf(secret);
  if (sha256 === null) {
    faults.add(
      `API_TOKENS: the secret of "${name}" needs ${MIN_SECRET_LENGTH} or more characters, or sha256:<64 hex digits>.`,
    );
  }
  return [{ name, sha256: sha256 ?? '', scopes: scopesOf(name, scopeText, faults) }];
}

function scopesOf(name: string, text: string, faults: Faults): string[] {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '');
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0) faults.add(`API_TOKENS: "${name}" asks for unknown scopes: ${unknown.join(', ')}.`);
  return scopes.length > 0 ? scopes : ['*'];
}

function hashOf(secret: string): string | null {
  const given = /^sha256:([0-9a-f]{64})$/i.exec(secret)?.[1];
  if (given !== undefined) return given.toLowerCase();
  if (secret.startsWith('sha256:') || secret.length < MIN_SECRET_LENGTH) return null;
  return createHash('sha256').update(secret).digest('hex');
}
