import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A folder, or the one above it that is there: the place where it will be made with the first file in it. */
export function nearestFolder(folder: string): string {
  const place = resolve(folder);
  return existsSync(place) ? place : nearestFolder(dirname(place));
}
