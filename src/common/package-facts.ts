import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface PackageFacts {
  readonly version: string;
  readonly description: string;
  /** Versions of Node that the service runs on: `>=20.19`. */
  readonly engines: { readonly node: string };
}

/** What `package.json` says; it lies one folder higher above the built files than above the sources. */
export function packageFacts(folder: string = import.meta.dirname): PackageFacts {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageFacts) : packageFacts(dirname(folder));
}
