import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { withCommitMark } from '../../commit-mark.js';
import { endAnswer, sendJson } from './answer-sender.js';
import { Answer, contentTag } from '../answer.js';
import { inTurn } from '../arriving/turns.js';
import { arrival, credentialHeaders, type Gateway } from '../arriving/gateway.js';
import { keepExpectations } from '../body/unread-body.js';
import { MAX_HEADER_KIB } from '../connection-errors.js';
import { Page, sendPage } from '../page.js';

/** Up to this version Node pays dearly for Express changing the prototype of every request (docs/adr/0002). */
const LAST_SLOW_NODE = 23;

/** A connection with a request under way that moves no byte in either direction for so long is cut. */
const IDLE_MS = 120_000;

const WRITING = ['post', 'put', 'patch', 'delete'] as const;

/** Express, with two things done at less cost: objects born with the right prototype, and bodies serialised once. */
export class ContentAdapter extends ExpressAdapter {
  constructor(private readonly gateway: Gateway) {
    const app = express();
    // Otherwise rules that compare paths, such as the shorter limit of sign-in bodies, could be passed by in capitals.
    // Said before the framework asks for the router, which is made by the settings of that moment.
    app.enable('case sensitive routing');
    super(app);
    for (const method of WRITING) {
      const add = this[method].bind(this) as (...route: Route) => unknown;
      Object.assign(this, { [method]: (...route: Route) => add(...marked(route)) });
    }
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    app.disable('x-powered-by');
    app.locals.credentialHeaders = credentialHeaders(this.gateway);
    app.disable('etag');
    app.set('query parser', false);
    const options = {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: MAX_HEADER_KIB * 1_024,
    };
    const isSlow = Number(process.versions.node.split('.')[0]) <= LAST_SLOW_NODE;
    const arrive = arrival(this.gateway);
    const server = createServer({ ...options, ...(isSlow ? bornAs(app) : {}) }, (request, response) => {
      inTurn(request.socket, response, () => {
        arrive(request);
        app(request as Request, response as Response);
      });
    });
    server.keepAliveTimeout = this.gateway.keepAliveSeconds * 1_000;
    server.timeout = IDLE_MS;
    keepExpectations(server);
    this.httpServer = server;
  }

  override reply(response: Response, body: unknown, statusCode?: number): void {
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (body instanceof Page) {
      sendPage(response, body);
      return;
    }
    const { body: content, headers } = body instanceof Answer ? (body as Answer<unknown>) : { body, headers: {} };
    setHeaders(response, headers, this.gateway.basePath);
    if (content === undefined || content === null) {
      endAnswer(response);
      return;
    }
    // A body that is JSON text already is sent as it is.
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const etag = headers.etag === 'content' ? contentTag(bytes) : headers.etag;
    sendJson(response, bytes, etag, headers.isConditional);
  }
}

type Handler = (...call: unknown[]) => Promise<unknown>;

/** The places of a route, and last its handler: guards, pipes and the filter of failures are part of that. */
type Route = [...where: unknown[], handler: unknown];

function marked(route: Route): Route {
  // The framework makes all handlers of routes, and all of them answer with a promise.
  const handler = route.at(-1) as Handler;
  return [...route.slice(0, -1), (...call: unknown[]) => withCommitMark(handler, ...call)];
}

/** Constructors whose objects already have the prototype that Express would give them. */
function bornAs(app: Express): object {
  function BornRequest(this: IncomingMessage, ...args: unknown[]): void {
    Reflect.apply(IncomingMessage, this, args);
  }
  BornRequest.prototype = app.request;
  function BornResponse(this: ServerResponse, ...args: unknown[]): void {
    Reflect.apply(ServerResponse, this, args);
  }
  BornResponse.prototype = app.response;
  return { IncomingMessage: BornRequest, ServerResponse: BornResponse };
}

/** @param basePath stands before places of the service itself, which begin with a slash */
function setHeaders(
  response: Response,
  { status, location, cookies = [], others = {} }: Answer<unknown>['headers'],
  basePath: string,
): void {
  if (status !== undefined) response.statusCode = status;
  if (location !== undefined) response.setHeader('Location', location.startsWith('/') ? basePath + location : location);
  for (const cookie of cookies) response.appendHeader('Set-Cookie', cookie);
  for (const [name, value] of Object.entries(others)) response.setHeader(name, value);
}
