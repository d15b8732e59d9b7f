import type { Server, ServerResponse } from 'node:http';

/** Answers to requests whose clients keep the body back until they are asked for it. */
const waiting = new WeakSet<ServerResponse>();

/** Leaves it to {@link askForBody} to send `100 Continue`: Node would ask for every body, also of what is refused. */
export function keepExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(response);
    server.emit('request', request, response);
  });
}

/** Asks a client that waits for it to send the body. */
export function askForBody(response: ServerResponse): void {
  if (waiting.delete(response)) response.writeContinue();
}

/** Whether the client still waits, and sends nothing. Node closes the connection after such an answer. */
export function isBodyKeptBack(response: ServerResponse): boolean {
  return waiting.has(response);
}
