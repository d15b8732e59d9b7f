import { readFileSync } from 'node:fs';
import type { SettingFaults } from './setting-faults.js';

/**
 * Certificates of the authorities that a connection trusts, out of a file in PEM.
 *
 * @param setting the one that names the file
 */
export function authorities(setting: string, path: string, faults: SettingFaults): string | null {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
    faults.add(`${setting} is ${path}, and that file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.add(
      `${setting} is "${path}" and must be on, off, or the file of an authority; there is no such file to read: ${code ?? String(error)}.`,
    );
  }
  return null;
}
