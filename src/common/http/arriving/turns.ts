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

/** Milliseconds that requests may take together in one turn of the event loop. */
const TURN_MS = 8;
/** Requests that one turn takes of those that wait. */
const MOST_OF_TURN = 16;

/**
 * Spreads requests that arrive together over turns of the event loop, in order: some hundreds of them would hold it for a
 * tenth of a second. A turn takes them until it is full, since requests of one turn share what they read.
 */
export function requestTurns(): (request: Request, response: Response, next: NextFunction) => void {
  const waiting: NextFunction[] = [];
  /** The time when the turn is full; `null`: no request has come in this turn, and none waits. */
  let fullAt: number | null = null;

  // What a request does at once is done, and counts, before the next callback of the loop.
  const takeOne = (): void => {
    if (fullAt !== null && performance.now() < fullAt) waiting.shift()?.();
  };

  const beginTurn = (): void => {
    fullAt = waiting.length > 0 ? performance.now() + TURN_MS : null;
    if (fullAt === null) return;
    setImmediate(beginTurn);
    for (let more = Math.min(waiting.length, MOST_OF_TURN) - 1; more > 0; more -= 1) setImmediate(takeOne);
    takeOne();
  };

  return (_request, _response, next) => {
    if (fullAt === null) {
      fullAt = performance.now() + TURN_MS;
      setImmediate(beginTurn);
    }
    if (waiting.length === 0 && performance.now() < fullAt) next();
    else waiting.push(next);
  };
}
