import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import type { ErrorName } from '../../src/common/errors/catalogue.js';
import { expectError } from '../support/errors.js';
import { collect, sendRaw } from '../support/raw-http.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const MIB = 1_048_576;

describe('Bodies of requests', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp();
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
  });

  afterAll(() => service.close());

  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    service
      .http()
      .post('/api/cms/post')
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((value: unknown) => value as string)
      .send(body);
  const fault = (answer: Response) =>
    answer.body.details.map(({ field, rule }: Record<string, string>) => [field, rule]);
  const padded = (bytes: number) => '{"title":"Long"}'.padStart(bytes);
  const nested = (depth: number) => `${'{"x":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  const head = (...lines: string[]) =>
    ['POST /api/cms/post HTTP/1.1', 'Host: x', `Authorization: Bearer ${TOKENS.admin}`, ...lines, '', ''].join('\r\n');

  it.each<[string, string | Buffer, ErrorName]>([
    ['broken JSON', '{"title":', 'malformed_json'],
    ['JSON with something behind it', '{"title":"x"} x', 'malformed_json'],
    ['two objects', '{"title":"x"}{"title":"y"}', 'malformed_json'],
    ['single quotes', "{'title':'x'}", 'malformed_json'],
    ['NaN', '{"title":NaN}', 'malformed_json'],
    ['white space', '   ', 'malformed_json'],
    ['bytes that are not UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1'), 'malformed_json'],
    ['an overlong encoding', Buffer.from('{"title":"\xc0\xaf"}', 'latin1'), 'malformed_json'],
    ['a surrogate in UTF-8', Buffer.from('{"title":"\xed\xa0\x80"}', 'latin1'), 'malformed_json'],
    ['UTF-16', Buffer.from('{"title":"x"}', 'utf16le'), 'malformed_json'],
    ['nothing', '', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['an array', '[]', 'validation_failed'],
    ['an array of one record', '[{"title":"x"}]', 'validation_failed'],
    ['a text', '"title"', 'validation_failed'],
    ['a number', '7', 'validation_failed'],
    ['true', 'true', 'validation_failed'],
    ['an empty object', '{}', 'validation_failed'],
  ])('answers %s in the one shape of all errors, wherever it is sent', async (_, body, error) => {
    expectError(await send(body), error);
    for (const path of ['/api/users', '/api/admin/tokens']) {
      const answer = await service
        .http()
        .post(path)
        .set('Content-Type', 'application/json')
        .serialize((value: unknown) => value as string)
        .send(body);
      expectError(answer, error);
    }
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
  ])('takes %s', async (type) => {
    await send('{"title":"x"}', { 'Content-Type': type }).expect(201);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'json',
    '*/*',
  ])('answers 415 to %s', async (type) => {
    expectError(await send('{"title":"x"}', { 'Content-Type': type }), 'unsupported_media_type');
  });

  it('answers 415 to a body without a content type', async () => {
    const { answers } = await sendRaw(port, head('Content-Length: 13'), '{"title":"x"}');

    expect([answers[0]?.status, answers[0]?.body?.error]).toEqual([415, 'unsupported_media_type']);
  });

  const INEXACT = ['1e400', '-1e400', '[{"x":1e999}]', '1e-999', '{"x":[9007199254740993]}'];

  it('says of null that a body is an object', async () => {
    for (const path of ['post', 'post/-/bulk']) {
      const answer = await service.http().post(`/api/cms/${path}`).set('Content-Type', 'application/json').send('null');

      expectError(answer, 'validation_failed');
      expect(answer.body.message).toMatch(/^The body must be an? (?:JSON )?object\.$/);
    }
  });

  it.each(INEXACT)('refuses the number %s, which would be kept as null or as another one', async (value) => {
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'loose', fields: [{ name: 'anything', type: 'json' }] });

    const answer = await service
      .http()
      .post('/api/cms/loose')
      .set('Content-Type', 'application/json')
      .serialize((text: unknown) => text as string)
      .send(`{"title":"x","anything":${value}}`);

    expectError(answer, 'validation_failed');
    expect(fault(answer)).toEqual([[expect.stringMatching(/^anything/), 'number']]);
  });

  it('reads over a byte-order mark', async () => {
    await send(Buffer.from('\ufeff{"title":"Marked"}')).expect(201);
  });

  it.each(['gzip', 'deflate', 'br', 'GZIP', 'zstd', 'x-unknown', 'gzip, gzip', 'identity, gzip'])(
    'answers 415 to a body in the encoding %s, a little of which could be a lot of text',
    async (encoding) => {
      const answer = await send(gzipSync('{"title":"Packed"}'), { 'Content-Encoding': encoding });

      expectError(answer, 'unsupported_media_type');
      expect(answer.headers['accept-encoding']).toBe('identity');
    },
  );

  it('takes a body that says of itself that it is not packed', async () => {
    await send('{"title":"Plain"}', { 'Content-Encoding': 'identity' }).expect(201);
  });

  it('takes 100,000 values and refuses one more', async () => {
    const values = (count: number) =>
      send(
        `{"title":"x","z":[${Array(count - 3)
          .fill('0')
          .join()}]}`,
      );

    expect(fault(await values(100_000))).toEqual([['z', 'unknown']]);
    expect(fault(await values(100_001))).toEqual([['', 'values']]);
  });

  it('refuses objects of more than 10,000 different keys', async () => {
    const keys = (count: number) =>
      send(`{"title":"x",${Array.from({ length: count - 1 }, (_, key) => `"k${key}":0`).join()}}`);

    expect(fault(await keys(10_000))).toContainEqual(['k0', 'unknown']);
    // Keys of one hash count once: of so many there is a pair now and then.
    expect(fault(await keys(10_050))).toEqual([['', 'keys']]);
  });

  it('names the unknown fields of a sign-in, and looks at none of more than 100', async () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, 0]));
    const signIn = (body: object) => service.http().post('/api/auth/login').send(body).expect(422);

    const few = await signIn(fields(100));
    const many = await signIn(fields(101));

    expect(few.body.details).toContainEqual(expect.objectContaining({ field: 'field_0', rule: 'unknown' }));
    expect(many.body.details).toEqual([
      { field: '', rule: 'max_length', message: 'The body has more than 100 fields.' },
    ]);
  });

  it('answers 413 after the body and keeps the connection, with a length and in chunks', async () => {
    const body = padded(5 * MIB);
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const json = 'Content-Type: application/json';

    const known = await sendRaw(port, head(json, `Content-Length: ${body.length}`), body, next);
    const chunked = await sendRaw(port, head(json, 'Transfer-Encoding: chunked'), chunks, next);

    expect(known.answers.map(({ status }) => status)).toEqual([413, 200]);
    expect(chunked.answers.map(({ status }) => status)).toEqual([413, 200]);
  });

  it('reads a body that comes in small chunks', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head('Content-Type: application/json', 'Transfer-Encoding: chunked'));
    for (const character of '{"title":"Bit by bit ✓"}') {
      const bytes = Buffer.from(character);
      socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      socket.write('\r\n');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    socket.write('0\r\n\r\n');

    const { answers } = await collect(socket);

    expect(answers[0]?.status).toBe(201);
    expect(answers[0]?.body).toMatchObject({ data: { title: 'Bit by bit ✓' } });
  });

  it('takes a nesting of 32 levels and refuses 33', async () => {
    const at = async (depth: number) => fault(await send(nested(depth)));

    expect(JSON.stringify(await at(32))).not.toContain('depth');
    expect(JSON.stringify(await at(33))).toContain('depth');
    expect(await at(100_000)).toEqual([[expect.any(String), 'depth']]);
  });

  it.each([
    ['{"__proto__":{"status":"published"},"title":"x"}', '__proto__', 'forbidden_key'],
    ['{"title":"x","constructor":{"prototype":{}}}', 'constructor', 'forbidden_key'],
    ['{"title":"x","body":{"prototype":1}}', 'body.prototype', 'forbidden_key'],
    ['{"title":"x","\\u005f_proto__":1}', '__proto__', 'forbidden_key'],
    ['{"title":"\\ud800"}', 'title', 'unicode'],
    ['{"title":["x","\\udc00\\ud800"]}', 'title.1', 'unicode'],
    ['{"title":"a\\u0000b"}', 'title', 'nul'],
    ['{"ti\\u0000tle":"x"}', 'ti\u0000tle', 'nul'],
  ])('answers 422 to %s, naming the place', async (body, field, rule) => {
    const answer = await send(body);

    expectError(answer, 'validation_failed');
    expect(fault(answer)).toContainEqual([field, rule]);
    expect({}).not.toHaveProperty('status');
  });

  it('passes over the body of a GET and of a DELETE', async () => {
    const body = '{"broken';
    const { answers } = await sendRaw(
      port,
      `GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n',
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
