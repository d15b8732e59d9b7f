import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';

/** Responses under way at once on one connection: a client that pipelines has as many as a browser would open connections for. */
const MOST = 16;
/** All that count, measure and send a response wait for its end. */
const MOST_LISTENERS = 20;

/** The responses of one connection. */
class Connection {
  private readonly open = new Set<ServerResponse>();
  private waiting: (() => void)[] = [];

  constructor(private readonly socket: Socket) {
    // Node reads on after each request; what waits here is bounded by what it had read until then.
    socket.on('resume', () => {
      if (this.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.end();
    });
  }

  take(response: ServerResponse, begin: () => void): void {
    if (this.open.size >= MOST) {
      this.waiting.push(() => {
        this.take(response, begin);
      });
      this.socket.pause();
      return;
    }
    this.open.add(response);
    response.setMaxListeners(MOST_LISTENERS).once('close', () => {
      this.open.delete(response);
      if (this.waiting.length > 0) this.beginNext();
    });
    begin();
  }

  private beginNext(): void {
    if (this.socket.destroyed) return;
    const next = this.waiting.shift();
    if (!next) return;
    if (this.waiting.length === 0) this.socket.resume();
    next();
  }

  /** Node emits `close` for the one response that has the socket. */
  private end(): void {
    this.waiting = [];
    for (const response of this.open) {
      // As Node marks that one: streams that lead into it later see that it has closed.
      Object.assign(response.destroy(), { _closed: true });
      response.emit('close');
    }
  }
}

const connections = new WeakMap<Socket, Connection>();

/** Begins requests of one connection in order, 16 at a time. Each response emits `close` by the end of its socket. */
export function inTurn(socket: Socket, response: ServerResponse, begin: () => void): void {
  const connection = connections.get(socket) ?? new Connection(socket);
  connections.set(socket, connection);
  connection.take(response, begin);
}

/** Milliseconds that requests which arrive in one turn of the event loop may take together. */
const TURN_MS = 8;

/**
 * Spreads requests that arrive together over turns of the event loop, in order: some hundreds of them would hold it for a
 * tenth of a second. Once a turn is full, each of the others has its own.
 */
export function requestTurns(): (request: Request, response: Response, next: NextFunction) => void {
  const waiting: NextFunction[] = [];
  let fullAt: number | null = null;

  const takeOne = (): void => {
    const next = waiting.shift();
    fullAt = next ? performance.now() : null;
    if (!next) return;
    setImmediate(takeOne);
    next();
  };

  return (_request, _response, next) => {
    if (fullAt === null) {
      fullAt = performance.now() + TURN_MS;
      setImmediate(takeOne);
    }
    if (waiting.length === 0 && performance.now() < fullAt) next();
    else waiting.push(next);
  };
}
