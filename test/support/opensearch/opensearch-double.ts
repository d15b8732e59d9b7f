import { once } from 'node:events';
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createEncrypted, type Server as EncryptedServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { bulk, type ItemTrouble } from './bulk-request.js';
import { DOCUMENTED, GLOBAL_PARAMETERS } from './documented-requests.js';
import { Indexes } from './indexes.js';
import { refuse, Refusal, type Json } from './refusal.js';
import type { StoredIndex } from './stored-index.js';

/** One request, as it came. */
export interface SeenRequest {
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
}

/**
 * What becomes of a request: it is done and answered (`well`), not answered (`hang`), its connection breaks off before
 * or after it was done (`drop`, `lose`), half of the answer is sent and no more (`stall`), or it is refused with a status.
 */
export type Behaviour = 'well' | 'hang' | 'drop' | 'lose' | 'stall' | 429 | 503;

/** A promise holds the request until it is kept. */
type Conduct = (request: SeenRequest) => Behaviour | Promise<Behaviour>;

/** Whether time was over before all shards had answered, and how many of the shards have failed. */
export interface Coverage {
  readonly isTimedOut: boolean;
  readonly failedShards: number;
}

/** An answer. */
interface Outcome {
  readonly status: number;
  readonly body: object;
}

interface Options {
  readonly user?: { readonly name: string; readonly password: string };
  readonly tls?: { readonly key: string; readonly cert: string };
}

const WELL: Conduct = () => 'well';
const NO_TROUBLE: ItemTrouble = () => null;
const WHOLE: Coverage = { isTimedOut: false, failedShards: 0 };
const SHARDS = 2;
const REASONS = {
  429: ['circuit_breaking_exception', 'Data too large'],
  503: ['search_phase_execution_exception', 'all shards failed'],
} as const;

/**
 * A test double of OpenSearch, which tests do not run: a server that takes the requests of its documentation and
 * refuses all others. It finds by whole words, scores by the script of the index, keeps external versions and shows what
 * was written after a refresh. Index and aliases are in memory.
 *
 * @see https://docs.opensearch.org/latest/api-reference/
 */
export class OpenSearchDouble {
  /** How it behaves; a test may set it, until {@link reset}. */
  behave: Conduct = WELL;
  refuseItem: ItemTrouble = NO_TROUBLE;
  health: 'green' | 'yellow' | 'red' = 'green';
  /** How much of the index searches and counts go through. */
  coverage: Coverage = WHOLE;
  readonly requests: SeenRequest[] = [];
  readonly indexes = new Indexes();
  private readonly handlers: Readonly<Record<string, (name: string, request: SeenRequest, id: string) => Outcome>> = {
    info: () => ok({ cluster_name: 'double', version: { distribution: 'opensearch', number: '3.0.0' } }),
    'cluster.health': (name) => {
      this.indexes.required(name);
      return ok({ cluster_name: 'double', status: this.health, timed_out: false });
    },
    'indices.create': (name, request) => {
      this.indexes.create(name, json(request));
      return ok({ acknowledged: true, shards_acknowledged: true, index: name });
    },
    'indices.get': (name, { query }) => {
      const found = this.indexes.matching(name, query.get('expand_wildcards') ?? 'open');
      return ok(Object.fromEntries(found.map((index) => [index.name, described(index)])));
    },
    'indices.delete': (name) => {
      this.indexes.delete(name);
      return ok({ acknowledged: true });
    },
    'indices.update_aliases': (_, request) => {
      this.indexes.changeAliases(json(request));
      return ok({ acknowledged: true });
    },
    'indices.refresh': (name) => {
      this.indexes.required(name).refresh();
      return ok({ _shards: shardsOf(this.coverage) });
    },
    count: (name, request) =>
      ok({ count: this.indexes.required(name).count(json(request)), _shards: shardsOf(this.coverage) }),
    search: (name, request) => ok(found(this.indexes.required(name), json(request), this.coverage)),
    bulk: (name, request) => this.bulk(name, request),
    get: (name, _, id) => one(this.indexes.required(name), id),
    index: (name, request, id) => this.put(name, request, id),
  };

  private constructor(
    private readonly server: Server | EncryptedServer,
    private readonly options: Options,
  ) {}

  static async start(options: Options = {}): Promise<OpenSearchDouble> {
    const server = options.tls ? createEncrypted(options.tls) : createPlain();
    const double = new OpenSearchDouble(server, options);
    const listener: RequestListener = (request, response) => {
      double.answer(request, response).catch((error: unknown) => {
        // A client that ends while it sends leaves half of a request.
        if (request.errored === null) throw error;
      });
    };
    server.on('request', listener);
    await double.listen(0);
    return double;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** As `SEARCH_URL` has it. */
  get url(): string {
    const { user, tls } = this.options;
    const account = user ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@` : '';
    return `${tls ? 'https' : 'http'}://${account}${tls ? 'localhost' : '127.0.0.1'}:${this.port}/cms`;
  }

  /** Behaves as at the beginning, whatever a test had it do. */
  reset(): void {
    this.behave = WELL;
    this.refuseItem = NO_TROUBLE;
    this.health = 'green';
    this.coverage = WHOLE;
  }

  /** Shows all that was written. */
  refresh(): void {
    this.indexes.refresh();
  }

  /** Ends all connections and takes no more, until {@link listen}. */
  async away(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.indexes.close();
    if (this.server.listening) await this.away();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, behaviour } = await this.outcome(request);
    if (behaviour === 'hang') return;
    if (behaviour === 'drop' || behaviour === 'lose') {
      request.socket.destroy();
      return;
    }
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(text),
    });
    if (behaviour === 'stall') response.write(text.slice(0, 1));
    else response.end(text);
  }

  private async outcome(request: IncomingMessage): Promise<Outcome & { readonly behaviour: Behaviour | undefined }> {
    let behaviour: Behaviour | undefined;
    try {
      const seen = await this.read(request);
      this.requests.push(seen);
      behaviour = await this.behave(seen);
      if (typeof behaviour === 'number') throw refusalOf(behaviour);
      if (behaviour === 'hang' || behaviour === 'drop') return { status: 200, body: {}, behaviour };
      return { ...this.done(seen), behaviour };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: error.body, behaviour };
    }
  }

  private async read(request: IncomingMessage): Promise<SeenRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    this.requireUser(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://double');
    const path = decodeURIComponent(pathname);
    const method = request.method ?? '';
    const known = DOCUMENTED.find((one) => one.methods.includes(method) && one.path.test(path));
    if (!known)
      return refuse('illegal_argument_exception', `no handler found for uri [${path}] and method [${method}]`);
    const other = [...query.keys()].find((name) => ![...known.parameters, ...GLOBAL_PARAMETERS].includes(name));
    if (other !== undefined)
      refuse('illegal_argument_exception', `request [${path}] contains unrecognized parameter: [${other}]`);
    requireType(request, known.group, text);
    return { group: known.group, method, path, query, text };
  }

  private requireUser({ headers }: IncomingMessage): void {
    const { user } = this.options;
    if (!user) return;
    const expected = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
    if (headers.authorization !== expected) throw new Refusal(401, 'security_exception', 'Unauthorized');
  }

  private done(request: SeenRequest): Outcome {
    const [, name = '', id = ''] =
      DOCUMENTED.find(({ group }) => group === request.group)?.path.exec(request.path) ?? [];
    const handler = this.handlers[request.group];
    if (!handler) throw new Error(`The double has no answer to ${request.group}.`);
    return handler(name, request, id);
  }

  private put(name: string, request: SeenRequest, id: string): Outcome {
    const { query } = request;
    const index = this.indexes.forWrite(name, query.get('require_alias') === 'true');
    const version = query.get('version');
    const asked = version === null ? {} : { version: Number(version), version_type: query.get('version_type') };
    return ok({ _index: index.name, _id: id, ...index.put(id, asked, json(request)) });
  }

  private bulk(name: string, { query, text }: SeenRequest): Outcome {
    const isAliasRequired = query.get('require_alias') === 'true';
    return ok(bulk(this.indexes, { name, isAliasRequired }, text, (id) => this.refuseItem(id)));
  }
}

function requireType({ headers }: IncomingMessage, group: string, text: string): void {
  if (text === '') return;
  const type = headers['content-type'] ?? '';
  const fits = group === 'bulk' ? /^application\/(x-nd)?json/ : /^application\/json/;
  if (!fits.test(type))
    throw new Refusal(406, 'media_type_header_exception', `Content-Type header [${type}] is not supported`);
}

function refusalOf(status: 429 | 503): Refusal {
  const [type, reason] = REASONS[status];
  return new Refusal(status, type, reason);
}

function json({ text }: SeenRequest): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return refuse('parse_exception', 'request body is required, as JSON');
  }
}

function ok(body: object): Outcome {
  return { status: 200, body };
}

function described({ name, aliases, mapping }: StoredIndex): object {
  const { settings, mappings } = mapping.body;
  return {
    aliases: Object.fromEntries([...aliases].map((alias) => [alias, {}])),
    mappings,
    settings: { ...(settings as object), index: { ...(settings as { index?: object }).index, provided_name: name } },
  };
}

/** An answer of a part of the shards has the form of any other. */
function found(index: StoredIndex, body: Json, coverage: Coverage): object {
  const { total, hits } = index.search(body);
  return {
    took: 1,
    timed_out: coverage.isTimedOut,
    _shards: { ...shardsOf(coverage), skipped: 0 },
    hits: {
      total: { value: total, relation: 'eq' },
      max_score: null,
      hits: hits.map(({ id, score, sort }) => ({ _index: index.name, _id: id, _score: score, sort })),
    },
  };
}

function shardsOf({ failedShards }: Coverage): object {
  return { total: SHARDS, successful: SHARDS - failedShards, failed: failedShards };
}

function one(index: StoredIndex, id: string): Outcome {
  const document = index.get(id);
  const place = { _index: index.name, _id: id, found: document !== null };
  return { status: document ? 200 : 404, body: { ...place, ...document } };
}
