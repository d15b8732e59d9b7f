import { stopMonotonicClock } from '../../../test/support/clock.js';
import { IssuerKeys } from './foreign-tokens.js';

const EMPTY = '{"keys":[]}';
const OTHER = '{"keys":[] }';
const [MINUTE, HOUR] = [60_000, 3_600_000];

/** The keys of an issuer that answers as it is set to, by a clock that nothing else moves. */
function known(answer: string | Error = EMPTY) {
  const world = { now: 0, answer, asked: 0, hanging: null as ((error: Error) => void) | null, hangs: false };
  const failed = jest.fn();
  const read = (): Promise<string> => {
    world.asked += 1;
    if (world.hangs) return new Promise((_, reject) => (world.hanging = reject));
    return world.answer instanceof Error ? Promise.reject(world.answer) : Promise.resolve(world.answer);
  };
  const weak = jest.fn();
  const keys = new IssuerKeys({ url: 'https://id.example.com/jwks' }, { failed, weak }, read, () => world.now);
  return { world, keys, failed, weak };
}

describe('The keys of an issuer', () => {
  it('are fetched again after five minutes beside a request, and are the same object as long as they are the same', async () => {
    const { world, keys } = known();
    const first = await keys.current();

    world.now = 5 * MINUTE - 1;
    await keys.current();
    expect(world.asked).toBe(1);
    world.now += 1;
    expect(await keys.current()).toBe(first);
    expect(world.asked).toBe(2);
  });

  it('are used for ten minutes at most: a key that was withdrawn meanwhile is not among them', async () => {
    const { world, keys } = known();
    const first = await keys.current();
    world.answer = OTHER;

    world.now = 10 * MINUTE;

    expect(await keys.current()).not.toBe(first);
  });

  it('come of age by a clock that is never put back', async () => {
    const pass = stopMonotonicClock();
    const texts = [EMPTY, OTHER];
    const keys = new IssuerKeys({ url: 'https://id.example.com/jwks' }, { failed: jest.fn(), weak: jest.fn() }, () =>
      Promise.resolve(texts.shift() ?? OTHER),
    );
    const first = await keys.current();
    jest.spyOn(Date, 'now').mockReturnValue(0);

    pass(10 * MINUTE);

    expect(await keys.current()).not.toBe(first);
    jest.restoreAllMocks();
  });

  it('are not waited for while the issuer hangs', async () => {
    const { world, keys, failed } = known();
    const first = await keys.current();
    world.hangs = true;
    world.now = 5 * MINUTE;
    expect(await keys.current()).toBe(first);
    world.hanging?.(new Error('no answer in 3 s'));
    await keys.renewed();
    expect(failed).toHaveBeenCalledTimes(1);

    world.now = 10 * MINUTE;

    expect([await keys.current(), await keys.current(), world.asked]).toEqual([first, first, 3]);
  });

  it('are asked for once by all who ask together', async () => {
    const { world, keys } = known();

    await Promise.all(Array.from({ length: 50 }, () => keys.current()));

    expect(world.asked).toBe(1);
  });

  it('are asked for again at most every 30 s, however many unknown keys tokens name', async () => {
    const { world, keys } = known();
    await keys.current();

    world.now = 30_000 - 1;
    for (let n = 0; n < 100; n += 1) await keys.renewed();
    expect(world.asked).toBe(1);
    world.now = 30_000;
    for (let n = 0; n < 100; n += 1) await keys.renewed();
    expect(world.asked).toBe(2);
  });

  it('go on for a day where the issuer is out of reach, and not for longer', async () => {
    const { world, keys, failed } = known();
    const first = await keys.current();
    world.answer = new Error('out of reach');

    world.now = 24 * HOUR - 1;
    expect(await keys.current()).toBe(first);
    await keys.renewed();
    world.now = 24 * HOUR + MINUTE;
    await expect(keys.current()).rejects.toMatchObject({ error: 'provider_unavailable' });
    world.answer = EMPTY;
    world.now += MINUTE;
    expect(await keys.current()).toBe(first);
    expect(failed).toHaveBeenCalledTimes(2);
  });

  it.each(['', 'null', '[]', '{}', '{"keys":{}}', '{"keys":[7]}', 'junk', '{"keys":[]'])(
    'are not taken as %p, and the last good ones go on',
    async (text) => {
      const { world, keys, failed } = known();
      const first = await keys.current();
      world.answer = text;
      world.now = HOUR;

      expect(await keys.current()).toBe(first);
      await keys.renewed();
      expect(failed).toHaveBeenCalledTimes(1);
    },
  );

  it('are used without weak ones, which are named once', async () => {
    const key = { kty: 'RSA', e: 'AQ', n: Buffer.alloc(256, 255).toString('base64url') };
    const { world, keys, weak } = known(JSON.stringify({ keys: [{ ...key, kid: 'anybody' }] }));

    const { keyFor } = await keys.current();
    world.now = 10 * MINUTE;
    await keys.current();

    await expect(keyFor({ alg: 'RS256', kid: 'anybody' })).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(weak.mock.calls).toEqual([[['anybody']]]);
  });

  it('that were never there are asked for again after 30 s', async () => {
    const { world, keys } = known(new Error('out of reach'));

    for (let n = 0; n < 10; n += 1) {
      await expect(keys.current()).rejects.toMatchObject({ error: 'provider_unavailable' });
    }
    expect(world.asked).toBe(1);
    world.now = 30_000;
    world.answer = EMPTY;
    expect(await keys.current()).toMatchObject({ text: EMPTY });
  });
});
