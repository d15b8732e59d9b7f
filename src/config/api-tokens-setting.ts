import { createHash } from 'node:crypto';
import { isScope } from '../common/access/caller.js';
import { entriesOf, type SettingReader } from './values/setting-reader.js';

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
 * Parses `name=secret[;scope scope…],…`. A secret may be `sha256:<hex>`; without scopes a token may do everything.
 * Faults name entries by number: a part of a secret with a separator would look like a name.
 */
export function apiTokens(reader: SettingReader): ConfiguredToken[] {
  const entries = entriesOf(reader.text('API_TOKENS'));
  const tokens = entries.map((entry, index) => apiToken(entry, index + 1, reader));
  for (const places of repeated(tokens.map(({ name }) => name))) {
    reader.fault(`API_TOKENS entries ${places} have the same name. Give each its own.`);
  }
  for (const places of repeated(tokens.map(({ sha256 }) => sha256))) {
    reader.fault(`API_TOKENS entries ${places} have the same secret. Give each its own.`);
  }
  return tokens;
}

/** Places of equal texts, from 1 on, for each text that occurs more than once: `1 and 3`. Empty ones are none. */
function repeated(texts: readonly string[]): string[] {
  const places = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) places.set(text, [...(places.get(text) ?? []), at + 1]);
  places.delete('');
  return [...places.values()].filter(({ length }) => length > 1).map((all) => all.join(' and '));
}

function apiToken(entry: string, position: number, reader: SettingReader): ConfiguredToken {
  const [, name = '', secret = '', scopeText = '*'] = /^([^=;]{1,100})=([^;]*)(?:;(.*))?$/.exec(entry) ?? [];
  if (name === '') {
    reader.fault(`API_TOKENS entry ${position} is not name=secret[;scopes]. Example: ${EXAMPLE}.`);
    return { name: '', sha256: '', scopes: [] };
  }
  requireName(name, position, reader);
  const sha256 = hashOf(secret);
  if (sha256 === null) {
    reader.fault(
      `API_TOKENS: the secret of entry ${position} needs ${MIN_SECRET_LENGTH} or more characters, or sha256:<64 hex digits>.`,
    );
  }
  return { name, sha256: sha256 ?? '', scopes: scopesOf(position, scopeText, reader) };
}

/** Gateways and logs read `token:7`, which is the token with that id. */
function requireName(name: string, position: number, reader: SettingReader): void {
  if (!/^\d+$/.test(name)) return;
  reader.fault(`API_TOKENS: the name of entry ${position} has only digits, and would be taken for the id of a token.`);
}

function scopesOf(position: number, text: string, reader: SettingReader): string[] {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '');
  const unknown = scopes.filter((scope) => !isScope(scope)).length;
  if (unknown > 0) {
    const what = unknown === 1 ? '1 scope that is' : `${unknown} scopes that are`;
    reader.fault(`API_TOKENS entry ${position} has ${what} unknown. Example: ${EXAMPLE}.`);
  }
  return scopes.length > 0 ? scopes : ['*'];
}

function hashOf(secret: string): string | null {
  const given = /^sha256:([0-9a-f]{64})$/i.exec(secret)?.[1];
  if (given !== undefined) return given.toLowerCase();
  if (secret.startsWith('sha256:') || secret.length < MIN_SECRET_LENGTH) return null;
  return createHash('sha256').update(secret).digest('hex');
}
