import { readFileSync } from 'node:fs';
import type { SettingFaults } from './setting-faults.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment, in which each setting can be given as the path of a file that holds it: `APP_SECRET_FILE`. A file is
 * read when its setting is asked for. Line ends at the end of a file are no part of the setting.
 *
 * @param faults gets a sentence for each file that does not fit; its setting is not set then
 */
export function withSettingFiles(env: Environment, faults: SettingFaults): Environment {
  const read = new Map<string, string | undefined>();
  return new Proxy(env, {
    get(_, name: string) {
      const path = env[`${name}_FILE`];
      if (path === undefined) return env[name];
      if (!read.has(name)) read.set(name, valueOf(env, name, faults));
      return read.get(name);
    },
  });
}

function valueOf(env: Environment, name: string, faults: SettingFaults): string | undefined {
  if (env[name] === undefined) return contentOf(name, env[`${name}_FILE`] ?? '', faults);
  faults.add(`${name} and ${name}_FILE are both set. Keep one of them.`);
  return undefined;
}

function contentOf(name: string, path: string, faults: SettingFaults): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    if (text === '') faults.add(`${name}_FILE is ${path}, and that file is empty.`);
    return text === '' ? undefined : text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.add(`${name}_FILE is ${path}, and that file cannot be read: ${code ?? String(error)}.`);
    return undefined;
  }
}
