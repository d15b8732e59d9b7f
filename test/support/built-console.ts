import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './documented-steps.js';

/** The console as `scripts/console.mjs` builds it: at once where it was built from these sources before. @returns its folder */
export function builtConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-built-console-'));
  execFileSync(process.execPath, [join(ROOT, 'scripts/console.mjs'), folder], { env: { PATH: process.env.PATH } });
  return folder;
}
