import { readFileSync } from 'node:fs';
import { plainAddress, withoutUser } from './addresses.js';

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads settings by their names. What does not fit is a fault, so that an operator sees all of it at once. */
export class SettingReader {
  /** A sentence for each setting that does not fit, with what to do. */
  readonly faults: string[] = [];
  /** The same for files that hold settings: without them the others cannot be judged. */
  readonly faultsOfFiles: string[] = [];
  /** The name of every setting that was read. Each can be given as a file too, with `_FILE` behind it. */
  readonly names = new Set<string>();
  private readonly ofFiles = new Map<string, string | undefined>();

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  fault(sentence: string): void {
    this.faults.push(sentence);
  }

  /** A setting as written, or the content of the file that `APP_SECRET_FILE` names, without line ends at its end. */
  text(name: string): string | undefined {
    this.names.add(name);
    const path = this.env[`${name}_FILE`];
    if (path === undefined) return this.env[name];
    if (!this.ofFiles.has(name)) this.ofFiles.set(name, this.contentOf(name, path));
    return this.ofFiles.get(name);
  }

  private contentOf(name: string, path: string): string | undefined {
    if (this.env[name] !== undefined) {
      this.faultsOfFiles.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
      return undefined;
    }
    try {
      const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
      if (text !== '') return text;
      this.faultsOfFiles.push(`${name}_FILE is ${path}, and that file is empty.`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.faultsOfFiles.push(`${name}_FILE is ${path}, and that file cannot be read: ${code ?? String(error)}.`);
    }
    return undefined;
  }

  /** Variables of another program, as they are written. */
  beginningWith(prefix: string): Readonly<Record<string, string>> {
    const found = Object.entries(this.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(found.filter(([name]) => name.startsWith(prefix)));
  }

  integer(name: string, fallback: number, { min, max }: { readonly min: number; readonly max: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.fault(
      `${name} is "${text}" and must be a whole number from ${min} to ${max}, for example ${name}=${fallback}.`,
    );
    return fallback;
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: NoInfer<Value>): Value {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = values.find((value) => value === text);
    if (found === undefined) this.fault(`${name} is "${text}" and must be one of: ${values.join(', ')}.`);
    return found ?? fallback;
  }

  /** Entries that are separated by commas. @param takes the accepted entries for people, with an example */
  list(name: string, isFit: (entry: string) => boolean = () => true, takes = ''): string[] {
    const entries = entriesOf(this.text(name));
    for (const entry of entries.filter((one) => !isFit(one))) {
      this.fault(`${name} has "${withoutUser(entry)}" and takes ${takes}.`);
    }
    return entries;
  }

  origin(name: string, fallback: string): string {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = originOf(text);
    if (found !== null) return found;
    const path = name === 'PUBLIC_URL' && URL.canParse(text) ? new URL(text).pathname.replace(/\/$/, '') : '';
    const hint = path === '' ? '' : ` The path goes into BASE_PATH=${path}.`;
    this.fault(
      `${name} is "${withoutUser(text)}" and must be an address without a path, user or password: ${name}=https://cms.example.com.${hint}`,
    );
    return fallback;
  }

  /** An address on the web that may have a path and a query; `null` where none is set. */
  address(name: string): string | null {
    const text = this.text(name);
    if (text === undefined) return null;
    if (!plainAddress(text)) {
      this.fault(
        `${name} is "${withoutUser(text)}" and must be an address such as ${name}=https://console.example.com/sign-in.`,
      );
    }
    return text;
  }

  /** A length of time in seconds: `900`, `15m`, `12h` or `14d`. */
  duration(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const [, count = '', unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
    const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
    if (seconds > 0) return seconds;
    this.fault(`${name} is "${text}" and must be a length of time such as ${name}=900, ${name}=12h or ${name}=14d.`);
    return fallback;
  }
}

/** The text as an origin (`https://host[:port]`), or `null` where it is anything else. */
export function originOf(text: string): string | null {
  const url = text.includes('*') ? null : plainAddress(text);
  return url?.pathname === '/' && url.search === '' ? url.origin : null;
}

export function entriesOf(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
