import { Agent, request } from 'node:http';
import { AUTHORIZATION, type ServiceProcess } from './service.js';

/** A request whose answer may be as large as it likes: it is counted and thrown away. */
export interface RawCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without a credential. */
  readonly isOpen?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The body, if it was asked for. */
  readonly text: string;
}

const TIMEOUT_MS = 600_000;
/** Sooner than the service closes a connection that nothing comes through. */
const IDLE_MS = 30_000;
const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

export function send(service: ServiceProcess, call: RawCall, keepsText = false): Promise<RawAnswer> {
  const started = performance.now();
  const body =
    Buffer.isBuffer(call.body) || call.body === undefined ? call.body : Buffer.from(JSON.stringify(call.body));
  const headers = {
    ...(call.isOpen === true ? {} : { authorization: AUTHORIZATION }),
    ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      service.url + call.path,
      { method: call.method ?? 'GET', headers, agent, timeout: TIMEOUT_MS },
      (answer) => {
        let bytes = 0;
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (keepsText) pieces.push(piece);
        });
        answer.once('error', reject);
        answer.once('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, bytes, ms: performance.now() - started, text });
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

/** @throws {Error} the answer is no success */
export async function sendJson<Answer>(service: ServiceProcess, call: RawCall): Promise<Answer> {
  const { status, text } = await send(service, call, true);
  if (status >= 300) throw new Error(`${call.method ?? 'GET'} ${call.path} answered ${status}: ${text.slice(0, 300)}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Asks for `/health/live` again and again while something else goes on. @returns the slowest answer, milliseconds */
export async function slowestHealth(service: ServiceProcess, others: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const end = others.finally(() => (state.isOver = true));
  let slowest = 0;
  const prober = async (): Promise<void> => {
    while (!state.isOver) {
      const { ms } = await send(service, { path: '/health/live', isOpen: true });
      slowest = Math.max(slowest, ms);
    }
  };
  await Promise.all([end, prober()]);
  return slowest;
}
