import { readFileSync } from 'node:fs';
import type { Faults } from './setting-parsers.js';

/** Settings that hold a secret: each can be given as the path of a file that holds it, `APP_SECRET_FILE`. */
export const SECRET_SETTINGS = [
  'APP_SECRET',
  'APP_SECRET_OLD',
  'DATABASE_URL',
  'SMTP_URL',
  'API_TOKENS',
  'GOOGLE_CLIENT_SECRET',
  'APPLE_PRIVATE_KEY',
  'OIDC_CLIENT_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the content of the files that `*_FILE` name in the place of the settings themselves. Line ends at
 * the end of a file are no part of the secret.
 */
export function withSecretFiles(env: Environment, names: readonly string[], faults: Faults): Environment {
  const read = names.flatMap((name) => {
    const path = env[`${name}_FILE`];
    if (path === undefined) return [];
    if (env[name] !== undefined) {
      faults.add(`${name} and ${name}_FILE are both set. Keep one of them.`);
      return [];
    }
    return [[name, secretIn(name, path, faults)] as const];
  });
  return { ...env, ...Object.fromEntries(read) };
}

function secretIn(name: string, path: string, faults: Faults): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    if (secret === '') faults.add(`${name}_FILE is ${path}, and that file is empty.`);
    return secret;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.add(`${name}_FILE is ${path}, and that file cannot be read: ${code ?? String(error)}.`);
    return undefined;
  }
}
