import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_STATUS, type ErrorName } from '../errors/catalogue.js';
import { requestId, SAFE_HEADERS } from './request-context.js';

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** The longest headers of a request, with its first line: tokens of large directories name many groups. */
export const MAX_HEADER_KIB = 32;

const MESSAGES: Partial<Record<ErrorName, string>> = {
  malformed_request: 'The request is not valid HTTP/1.1.',
  request_timeout: 'The request did not arrive in time.',
  headers_too_large: `The headers are longer than ${MAX_HEADER_KIB} KiB.`,
  uri_too_long: 'The address is longer than the service reads.',
  expectation_failed: 'Of all expectations only 100-continue is met.',
};

function nameOf({ code, rawPacket }: ClientError): ErrorName {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (code !== 'HPE_HEADER_OVERFLOW') return 'malformed_request';
  const firstLine = rawPacket?.indexOf('\r\n') ?? -1;
  return firstLine < 0 || firstLine > 8_192 ? 'uri_too_long' : 'headers_too_large';
}

interface Refusal {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

function refusal(error: ErrorName): Refusal {
  const id = requestId(undefined);
  const body = JSON.stringify({ error, message: MESSAGES[error], request_id: id });
  const headers: [string, string][] = [
    ...SAFE_HEADERS,
    ['Connection', 'close'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['X-Request-Id', id],
  ];
  return { status: ERROR_STATUS[error], headers, body };
}

/** Answers what is wrong after the requests that came before it: its refusal must not be taken for their answer. */
function refuse(error: ClientError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // The answer that Node is sending, or will send next.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (current?.req.complete) {
    current.once('finish', () => setImmediate(refuse, error, socket));
    return;
  }
  if (current?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal(nameOf(error));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${body}`);
}

/** Answers, in the shape of every other error, what Node would answer by itself and without a body. */
export function answerConnectionErrors(server: Server): void {
  server.on('clientError', (error: ClientError, socket) => {
    refuse(error, socket);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = refusal('expectation_failed');
    response.writeHead(status, headers.flat());
    response.end(body);
  });
}
