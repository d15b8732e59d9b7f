import type { Request, Response } from 'express';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { TurnCounter } from '../../../../test/support/turn-counter.js';
import { DomainError, ValidationError } from '../../errors/domain-error.js';
import { UnreadBody } from './unread-body.js';

/** What a request with these bytes holds for its handler; fails as the request would. */
function bodyOf(text: string, url = '/api/cms/post', type = 'application/json'): Promise<unknown> {
  const bytes = Buffer.from(text);
  const request = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), {
    method: 'POST',
    url,
    headers: { 'content-type': type, 'content-length': String(bytes.length) },
  }) as unknown as Request;
  return new UnreadBody(request, {} as Response).read();
}

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
const key = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter((text) => !FORBIDDEN.includes(text) && !text.includes('\0'));
const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
const safe = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

/** `value` at the end of a way through objects and lists. */
const wrap = (value: unknown, way: readonly boolean[]): unknown =>
  way.reduce<unknown>((inner, isList) => (isList ? [0, inner] : { x: inner }), value);

const way = fc.array(fc.boolean(), { maxLength: 20 });

describe('A body that does not come', () => {
  afterEach(() => jest.useRealTimers());

  it.each([
    ['/api/auth/refresh', 5],
    ['/api/cms/post', 30],
  ])('is refused: %s after %d s', async (url, seconds) => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    const request = Object.assign(new Readable({ read: () => undefined }), { method: 'POST', url, headers: {} });
    const refusal = jest.fn();
    void new UnreadBody(request as unknown as Request, {} as Response).read().catch(refusal);

    await jest.advanceTimersByTimeAsync(seconds * 1_000 - 1);
    expect(refusal).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);

    expect(refusal).toHaveBeenCalledWith(
      expect.objectContaining({ error: 'request_timeout', message: `The body did not arrive within ${seconds} s.` }),
    );
  });
});

describe('JSON bodies', () => {
  it('arrive as they were sent', async () => {
    await fc.assert(
      fc.asyncProperty(safe.object, async (value) => {
        expect(await bodyOf(JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  it('let other work go on while they are looked at, when they are long', async () => {
    const body = JSON.stringify({ text: 'word '.repeat(200_000) });
    const short = new TurnCounter();
    await bodyOf('{}');
    const few = short.stop();
    const long = new TurnCounter();

    await bodyOf(body);

    expect(long.stop()).toBeGreaterThan(few + 2);
  });

  it('are refused for a NUL, half a surrogate pair or a key of every object, however deep it lies', async () => {
    const bad = fc.constantFrom<[unknown, string]>(
      ['a\0b', 'nul'],
      ['\ud800', 'unicode'],
      [{ 'a\0': 1 }, 'nul'],
      [{ '\udfff': 1 }, 'unicode'],
      [JSON.parse('{"__proto__":1}'), 'forbidden_key'],
      [{ constructor: {} }, 'forbidden_key'],
    );
    await fc.assert(
      fc.asyncProperty(bad, way, async ([value, rule], steps) => {
        const error: unknown = await bodyOf(JSON.stringify(wrap(value, steps))).catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(ValidationError);
        expect((error as ValidationError).faults).toEqual([expect.objectContaining({ rule })]);
      }),
    );
  });

  it('may be 32 levels deep and not 33', async () => {
    const deep = (levels: number) => JSON.stringify(wrap({}, Array<boolean>(levels - 1).fill(false)));

    await expect(bodyOf(deep(32))).resolves.toBeDefined();
    await expect(bodyOf(deep(33))).rejects.toMatchObject({ faults: [{ rule: 'depth' }] });
  });

  it('are JSON or refused as malformed, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (sent) => {
        const result: unknown = await bodyOf(sent).catch((failure: unknown) => failure);
        if (result instanceof Error) expect(result).toBeInstanceOf(DomainError);
        else expect(result).toEqual(JSON.parse(sent));
      }),
    );
  });
});

describe('Bodies', () => {
  it('are refused where they are compressed, before a byte of them is read', async () => {
    const request = Object.assign(new Readable(), {
      method: 'POST',
      url: '/',
      headers: { 'content-encoding': 'gzip' },
    });

    const read = new UnreadBody(request as unknown as Request, {} as Response).read();

    await expect(read).rejects.toMatchObject({ error: 'unsupported_media_type' });
    expect(request.readableDidRead).toBe(false);
  });

  it.each(['before', 'while'])('are refused where their client goes away %s they are read', async (when) => {
    const request = Object.assign(new Readable({ read: () => undefined }), { method: 'POST', url: '/', headers: {} });
    if (when === 'before') request.destroy();
    const read = new UnreadBody(request as unknown as Request, {} as Response).read();
    if (when === 'while') setImmediate(() => request.destroy());

    await expect(read).rejects.toMatchObject({ error: 'malformed_request' });
  });
});

describe('Forms', () => {
  const FORM = 'application/x-www-form-urlencoded';

  it('are read where pages and identity providers post them', async () => {
    expect(await bodyOf('code=a%2Bb&state=s&code2=', '/api/auth/apple/callback', FORM)).toEqual({
      code: 'a+b',
      state: 's',
      code2: '',
    });
  });

  it('hold nothing under a name that is sent twice', async () => {
    expect(await bodyOf('code=a&code=b', '/api/auth/apple/callback?x', FORM)).toEqual({ code: null });
  });

  it.each(['__proto__=1', 'code=%00'])('are refused for what no body may hold: %s', async (form) => {
    await expect(bodyOf(form, '/api/auth/apple/callback', FORM)).rejects.toBeInstanceOf(ValidationError);
  });

  it.each(['/api/cms/post', '/api/auth/login', '/api/auth/Apple/callback'])('are refused on %s', async (url) => {
    await expect(bodyOf('email=a', url, FORM)).rejects.toMatchObject({ error: 'unsupported_media_type' });
  });
});
