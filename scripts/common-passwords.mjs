// Writes src/users/passwords/common-passwords.data.ts: a Bloom filter of the most frequent passwords.
//
//   npm pack @zxcvbn-ts/language-common && tar xzf zxcvbn-ts-language-common-*.tgz
//   node scripts/common-passwords.mjs package > src/users/passwords/common-passwords.data.ts
//
// Taken are the first 20,000 of the list with four characters or more, and all with twelve or more. Their usual
// lengthenings (doubled, digits, years, `!`) are recognised when a password is checked and need no entries.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIRST = 20_000;
const MIN_LENGTH = 4;
const LONG = 12;
const BITS_PER_WORD = 24;
const HASHES = 17;
const OWN = ['changeme', 'correcthorsebatterystaple', 'motdepasse', 'passw0rd', 'qwertyuiopasdfgh', 'abcdefghijkl'];

const [folder = '.'] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const all = JSON.parse(readFileSync(join(folder, 'src/passwords.json'), 'utf8'));
const license = readFileSync(join(folder, 'LICENSE.txt'), 'utf8').trim();
const words = new Set([
  ...OWN,
  ...all.slice(0, FIRST).filter(({ length }) => length >= MIN_LENGTH),
  ...all.filter(({ length }) => length >= LONG),
]);
const size = Math.ceil((words.size * BITS_PER_WORD) / 8);
const bits = Buffer.alloc(size);
for (const word of words) {
  const digest = createHash('sha256').update(word).digest();
  const [start, step] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  for (let n = 0; n < HASHES; n += 1) {
    const bit = (start + n * step) % (size * 8);
    bits[bit >> 3] |= 1 << (bit & 7);
  }
}

process.stdout.write(`/*
 * ${words.size} frequent passwords as a Bloom filter, made by scripts/common-passwords.mjs from
 * @zxcvbn-ts/language-common ${version}, which is licensed as follows.
 *
${license
  .split('\n')
  .map((line) => ` * ${line}`.trimEnd())
  .join('\n')}
 */

/** Number of bits of the filter that each word sets. */
export const HASHES = ${HASHES};

/** The filter in base64. */
export const FILTER =
  '${bits.toString('base64')}';
`);
