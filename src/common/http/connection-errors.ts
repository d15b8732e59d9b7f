import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_STATUS, type ErrorName } from '../errors/catalogue.js';

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const MESSAGES: Partial<Record<ErrorName, string>> = {
  malformed_request: 'The request is not valid HTTP/1.1.',
  request_timeout: 'The request did not arrive in time.',
  headers_too_large: 'The headers are longer than 16 KiB.',
  uri_too_long: 'The address is longer than the service reads.',
  expectation_failed: 'Of all expectations only 100-continue is met.',
};

function nameOf({ code, rawPacket }: ClientError): ErrorName {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (code !== 'HPE_HEADER_OVERFLOW') return 'malformed_request';
  const firstLine = rawPacket?.indexOf('\r\n') ?? -1;
  return firstLine < 0 || firstLine > 8_192 ? 'uri_too_long' : 'headers_too_large';
}

function bodyOf(error: ErrorName): string {
  return JSON.stringify({ error, message: MESSAGES[error] });
}

/** What Node would answer by itself and without a body, in the shape of every other error. */
export function answerConnectionErrors(server: Server): void {
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const name = nameOf(error);
    const status = ERROR_STATUS[name];
    const body = bodyOf(name);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(ERROR_STATUS.expectation_failed, {
      'Content-Type': 'application/json; charset=utf-8',
      Connection: 'close',
    });
    response.end(bodyOf('expectation_failed'));
  });
}
