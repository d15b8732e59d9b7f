import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface PackageInfo {
  readonly version: string;
  readonly description: string;
  /** Versions of Node that the service runs on: `>=20.19`. */
  readonly engines: { readonly node: string };
}

/** Facts of `package.json`, which lies one folder higher above the built files than above the sources. */
export function packageInfo(folder: string = import.meta.dirname): PackageInfo {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageInfo) : packageInfo(dirname(folder));
}
