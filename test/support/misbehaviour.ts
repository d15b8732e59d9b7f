import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How an endpoint answers that is broken, busy or hostile. */
export type Misbehaviour = keyof typeof MISBEHAVIOURS;

const TWO_MIB = 2 * 1_048_576;

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
}

/** A byte every now and then, for as long as the client listens. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => {
    clearInterval(timer);
  });
}

const MISBEHAVIOURS = {
  html: (response: ServerResponse) => {
    send(response, 200, '<html><body>Sign in to the hotel network</body></html>', { 'Content-Type': 'text/html' });
  },
  redirect: (response: ServerResponse) => {
    send(response, 302, '{}', { Location: 'http://127.0.0.1:1/elsewhere' });
  },
  'internal error': (response: ServerResponse) => {
    send(response, 500, '{"error":"server_error"}');
  },
  'no JSON': (response: ServerResponse) => {
    send(response, 200, '{"access_token": ');
  },
  null: (response: ServerResponse) => {
    send(response, 200, 'null');
  },
  'an array': (response: ServerResponse) => {
    send(response, 200, '[1]');
  },
  'an empty object': (response: ServerResponse) => {
    send(response, 200, '{}');
  },
  'bad UTF-8': (response: ServerResponse) => {
    send(response, 200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  },
  'a huge body': (response: ServerResponse) => {
    send(response, 200, `{"junk":"${'x'.repeat(TWO_MIB)}"}`);
  },
  'a compressed bomb': (response: ServerResponse) => {
    send(response, 200, gzipSync(`{"junk":"${'x'.repeat(20 * TWO_MIB)}"}`), { 'Content-Encoding': 'gzip' });
  },
  'a closed connection': (response: ServerResponse) => {
    response.destroy();
  },
  'half a body': (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"a":1', () => response.destroy());
  },
  silence: () => undefined,
  dripping: drip,
} as const;

export const ALL_MISBEHAVIOURS = Object.keys(MISBEHAVIOURS) as Misbehaviour[];

export function misbehave(kind: Misbehaviour, response: ServerResponse): void {
  MISBEHAVIOURS[kind](response);
}
