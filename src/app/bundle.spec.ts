import { mkdtempSync, rmSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, codeCacheOf } from './bundle.js';

/** A bundle whose start answers with a word. All words of a length make bundles of one length. */
const bundleSaying = (word: string) => `(function (exports) { const word = '${word}'; exports.start = () => word; })`;

describe('A bundle and its code cache', () => {
  let folder: string;
  const bundle = () => join(folder, 'service.bundle.js');
  const cache = () => join(folder, 'service.bundle.cache');
  const said = () => (bundled('service', folder) as { start(): string }).start();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-bundle-'));
    writeFileSync(bundle(), bundleSaying('one'));
    writeFileSync(cache(), codeCacheOf('service', folder));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('start what was built', () => {
    expect(said()).toBe('one');
  });

  it('start a bundle that has changed since, of the same length even', () => {
    writeFileSync(bundle(), bundleSaying('two'));

    expect(said()).toBe('two');
  });

  it('start without the code cache where a byte of it is damaged', () => {
    const whole = readFileSync(cache());
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(cache(), damaged);

      expect(said()).toBe('one');
    }
  });

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    [
      'half zeros',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.alloc(whole.length / 2)]),
    ],
    ['empty', () => Buffer.alloc(0)],
  ])('start without the code cache where it is %s', (_, damage) => {
    writeFileSync(cache(), damage(readFileSync(cache())));

    expect(said()).toBe('one');
  });

  it('start where the code cache cannot be read', () => {
    rmSync(cache());
    mkdirSync(cache());

    expect(said()).toBe('one');
  });

  it('are none where nothing was built', () => {
    rmSync(bundle());

    expect(bundled('service', folder)).toBeNull();
  });
});
