import type { Client } from '@opensearch-project/opensearch';
import type { SearchServer } from '../../../config/values/search-server.js';
import { ClusterError } from './cluster-error.js';

/** One request to OpenSearch, and how long it may take. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** In the place of a body: objects, one a line, as `_bulk` takes them. */
  readonly lines?: readonly object[];
  /** Milliseconds until it is aborted. */
  readonly within: number;
  /**
   * Aborted: no request begins. One under way that reads is ended, and one that writes still has
   * {@link ANSWER_AFTER_ABORT_MS} for its answer.
   */
  readonly signal?: AbortSignal;
}

/** The limits of a request that its caller may set otherwise. */
export type RequestLimits = Partial<Pick<ClusterRequest, 'within' | 'signal'>>;

/** The members of an error of the client that are read. */
interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly statusCode?: number;
  readonly body?: { readonly error?: { readonly type?: unknown } };
}

/**
 * So a write is answered, or its connection is gone, before another process may have the lease: that is five seconds after
 * the signal is aborted (ADR 33).
 */
export const ANSWER_AFTER_ABORT_MS = 4_000;
/** Connections of one process: the feed takes one, and each search one while it lasts. */
const MOST_SOCKETS = 64;
/** Longer than any request is given: the deadline of each is kept here. */
const SOCKET_SILENT_MS = 120_000;

/**
 * Sends requests to OpenSearch over HTTP. The client is loaded with the first of them, and sends none twice: only the
 * caller knows what may be repeated.
 */
export class Cluster {
  private client: Promise<Client> | undefined;

  constructor(private readonly server: SearchServer) {}

  /** The name by which the index is searched. */
  get alias(): string {
    return this.server.alias;
  }

  /** @throws {ClusterError} */
  async ask<Answer>(asked: ClusterRequest): Promise<Answer> {
    const { method, path, query = {}, body, lines, signal } = asked;
    const client = await (this.client ??= this.open());
    if (signal?.aborted) throw ClusterError.ofAbort();
    const request = client.transport.request(
      {
        method,
        path,
        querystring: { ...query },
        ...(body && { body }),
        ...(lines && { bulkBody: [...lines] }),
      },
      { requestTimeout: SOCKET_SILENT_MS, maxRetries: 0 },
    );
    try {
      // The answer is JSON of the shape that its documentation describes.
      return (await inTime(request, asked)).body as Answer;
    } catch (error) {
      throw failureOf(error);
    }
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.close();
  }

  private async open(): Promise<Client> {
    const { Client: Made } = await import('@opensearch-project/opensearch');
    const { origin, user, ca } = this.server;
    return new Made({
      node: origin,
      ...(user && { auth: user }),
      ...(ca !== null && { ssl: { ca } }),
      maxRetries: 0,
      resurrectStrategy: 'none',
      agent: { keepAlive: true, maxSockets: MOST_SOCKETS },
    });
  }
}

interface Running<Answer> extends Promise<Answer> {
  abort(): void;
}

/** The client's own limit is one of silence, and ends with the first byte of an answer. */
async function inTime<Answer>(request: Running<Answer>, { method, within, signal }: ClusterRequest): Promise<Answer> {
  const timers: NodeJS.Timeout[] = [];
  let onAbort = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (error: ClusterError): void => {
      reject(error);
      request.abort();
    };
    timers.push(setTimeout(end, within, new ClusterError('late', `OpenSearch has not answered within ${within} ms`)));
    onAbort = () => {
      timers.push(setTimeout(end, method === 'GET' ? 0 : ANSWER_AFTER_ABORT_MS, ClusterError.ofAbort()));
    };
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([request, ended]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
    // An aborted request is rejected later.
    request.catch(() => undefined);
  }
}

function failureOf(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  // The client throws errors of its own only.
  const { message, statusCode, body } = error as ClientError;
  if (typeof statusCode === 'number') {
    const type = body?.error?.type;
    return ClusterError.ofStatus(statusCode, typeof type === 'string' ? type : 'without a reason');
  }
  return new ClusterError('away', `OpenSearch does not answer: ${message}`, { cause: error });
}
