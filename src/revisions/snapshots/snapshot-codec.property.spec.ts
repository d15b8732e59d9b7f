import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { appliedDelta, deltaOf } from './delta.js';
import {
  CODEC,
  packedDelta,
  packedKeyframe,
  unpacked,
  type Packed,
  checksumOf,
  plainBytes,
} from './stored-snapshot.js';

/** Texts with repetitions, as documents have them, and with everything that UTF-8 can be. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom('the quick brown fox ', 'jumps over ', 'a lazy dog. ', 'Žluťoučký kůň ', '日本語の文 ', '\n'),
      {
        maxLength: 200,
      },
    )
    .map((words) => words.join('')),
);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(60),
  put: fc.string({ maxLength: 30 }),
});

function edited(before: string, { at, cut, put }: { at: number; cut: number; put: string }): string {
  const start = Math.floor(at * before.length);
  return before.slice(0, start) + put + before.slice(start + cut);
}

describe('Deltas of snapshots', () => {
  it('make exactly the text that they were made from, whatever the two have in common', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const [base, target] = [Buffer.from(one), Buffer.from(other)];
        expect(appliedDelta(base, await deltaOf(base, target), target.length).equals(target)).toBe(true);
      }),
    );
  });

  it('are exact for bytes of any kind and for parts that moved', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(bytes, bytes, fc.nat(600), async (a, b, cut) => {
        const base = Buffer.concat([a, b, a]);
        const target = Buffer.concat([base.subarray(cut), b, base.subarray(0, cut)]);
        expect(appliedDelta(base, await deltaOf(base, target), target.length).equals(target)).toBe(true);
      }),
    );
  });

  it('are exact after many edits, read in any order', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(edit, { minLength: 1, maxLength: 25 }), async (first, edits) => {
        const states = edits.reduce<string[]>((all, one) => [...all, edited(all.at(-1) ?? '', one)], [first]);
        const plain = states.map((state) => Buffer.from(state));
        const [keyframe = Buffer.alloc(0)] = plain;
        const packed = await Promise.all(
          plain.map(async (state) => (await packedDelta(state, keyframe, 1_000_000)) ?? packedKeyframe(state)),
        );
        const order = packed.map((one, index) => ({ one, index })).reverse();
        for (const { one, index } of order) {
          expect((await unpacked(one, keyframe, plain[index]?.length ?? 0)).toString()).toBe(
            Buffer.from(states[index] ?? '').toString(),
          );
        }
      }),
    );
  });

  it('are small where little has changed, in a text far longer than the window of zlib', async () => {
    const body = Array.from({ length: 20_000 }, (_, n) => `${(n * 7_919) % 10_007}`).join(' ');
    const keyframe = Buffer.from(body);
    const target = Buffer.from(
      [90_000, 60_000, 30_000].reduce((one, at) => edited(one, { at: at / one.length, cut: 5, put: 'changed' }), body),
    );

    const packed = await packedDelta(target, keyframe, keyframe.length);

    expect(keyframe.length).toBeGreaterThan(65_536);
    expect(packed?.codec).toBe(CODEC.delta);
    expect(packed?.bytes.length).toBeLessThan(100);
    expect((await unpacked(packed ?? { codec: 0, bytes: keyframe }, keyframe, target.length)).equals(target)).toBe(
      true,
    );
  });

  it('give way to a keyframe where the text is another one', async () => {
    const [one, other] = [randomBytes(5_000), randomBytes(5_000)];

    expect(await packedDelta(other, one, 5_000)).toBeNull();
  });

  it('of long texts let other work go on in between', async () => {
    const order: string[] = [];

    const made = deltaOf(randomBytes(1_000_000), randomBytes(1_000_000)).then(() => order.push('delta'));
    setImmediate(() => order.push('other'));
    await made;

    expect(order).toEqual(['other', 'delta']);
  });

  it('are exact for long texts that repeat themselves', async () => {
    const [base, target] = [Buffer.alloc(2_000_000, 'ab'), Buffer.alloc(2_000_000, 'ba')];

    expect(appliedDelta(base, await deltaOf(base, target), target.length).equals(target)).toBe(true);
  });
});

describe('Keyframes', () => {
  it.each([
    ['an empty snapshot', 0, CODEC.plain],
    ['a short one', 127, CODEC.plain],
    ['one that is worth deflating', 128, CODEC.deflated],
    ['a long one', 200_000, CODEC.deflated],
  ])('are read as they were written: %s', async (_, length, codec) => {
    const plain = Buffer.alloc(length, 'snapshot ');

    const packed = await packedKeyframe(plain);

    expect(packed.codec).toBe(codec);
    expect((await unpacked(packed, null, length)).equals(plain)).toBe(true);
  });

  it('are missed by a delta that has lost its own', async () => {
    await expect(
      unpacked(
        {
          codec: CODEC.delta,
          bytes: (await packedDelta(Buffer.alloc(99, 'a'), Buffer.alloc(98, 'a'), 999))?.bytes ?? Buffer.alloc(0),
        },
        null,
        99,
      ),
    ).rejects.toThrow('keyframe');
  });
});

describe('Damaged snapshots', () => {
  const change = fc.record({ at: fc.nat(), to: fc.nat(255) });

  function damaged({ codec, bytes }: Packed, { at, to }: { at: number; to: number }): Packed {
    const copy = Buffer.from(bytes);
    copy[at % copy.length] = to;
    return { codec, bytes: copy };
  }

  it('are found out, whichever byte of a keyframe or a delta is another one', async () => {
    await fc.assert(
      fc.asyncProperty(text, edit, change, fc.boolean(), async (before, by, wrong, isKeyframeWrong) => {
        const [keyframe, plain] = [Buffer.from(`${before}.`), Buffer.from(`${edited(before, by)}.`)];
        const [packed, base] = [
          (await packedDelta(plain, keyframe, 1_000_000)) ?? (await packedKeyframe(plain)),
          await packedKeyframe(keyframe),
        ];
        const stored = (one: Packed, of: Buffer) => ({ ...one, sizeBytes: of.length, checksum: checksumOf(of) });

        const read = async (): Promise<Buffer> => {
          const below = await unpacked(isKeyframeWrong ? damaged(base, wrong) : base, null, keyframe.length);
          return plainBytes(stored(isKeyframeWrong ? packed : damaged(packed, wrong), plain), below);
        };

        const found = await read().catch(() => null);
        expect(found === null || found.equals(plain)).toBe(true);
      }),
    );
  });

  it('that say to copy far more than there was are refused before memory is taken for it', async () => {
    const base = Buffer.alloc(1_000, 'a');
    const delta = await deltaOf(base, Buffer.concat([base, base, base]));

    expect(() => appliedDelta(base, delta, 1_000)).toThrow(RangeError);
    expect(() => appliedDelta(base.subarray(10), delta, 3_000)).toThrow(RangeError);
    expect(() => appliedDelta(base, delta, 4_000)).toThrow(RangeError);
  });
});
