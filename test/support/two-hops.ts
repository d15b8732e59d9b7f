import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Child, production } from './child-service.js';
import { freePort } from './free-port.js';
import { Nginx, type Substitutions } from './nginx.js';
import type { TestDatabase } from './test-database.js';
import { certificateOf } from './tls-database.js';

/** Where clients come from: an address that is none of a hop, and that hops are not trusted at. */
export const CLIENT = '127.0.0.77';
/** Where hops come from. */
const HOP = '127.0.0.1';
export const GATEWAY_SECRET = 'k7Jd02mQx94LpTz8VwBn3RyHs6GfC1eA';
/** Whom the gateway knows by itself. */
export const ANN = { name: 'ann', password: 'a password of the gateway' } as const;
const GROUPS = { groups: { map: { 'cms-admins': 'admin' } } };

/** What goes along with a request. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The address of the client. */
  readonly from?: string;
}

export interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  readonly bytes: Buffer;
  readonly text: string;
  /** `null`: it is no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON the service answers
  readonly body: any;
}

/** Two instances on one database, with the two hops of `deploy/nginx` in front of them, below `/cms`. */
export class TwoHops {
  private readonly agents = new Map<string, Agent>();

  private constructor(
    readonly services: readonly [Child, Child],
    private readonly hops: readonly Nginx[],
    private readonly ports: { readonly edge: number; readonly inner: number },
  ) {}

  /** @param environment of both instances, over what the hops need of them */
  static async start(
    database: TestDatabase,
    environment: Readonly<Record<string, string>> = {},
    { edge: ofEdge = {}, inner: ofInner = {} }: { readonly edge?: Substitutions; readonly inner?: Substitutions } = {},
  ): Promise<TwoHops> {
    const settings = { ...production(database), ...BEHIND_HOPS, ...environment };
    const services = [new Child('main.js', [], settings), new Child('main.js', [], settings)] as const;
    const started: Nginx[] = [];
    try {
      const [one, other] = await Promise.all(services.map(async (service) => new URL(await service.address()).host));
      const ports = { edge: await freePort(), inner: await freePort() };
      const inner = `${HOP}:${ports.inner}`;
      started.push(
        await Nginx.start('inner.conf', ports.inner, {
          '10.0.2.11:3000': one ?? '',
          '10.0.2.12:3000': other ?? '',
          '10.0.1.10:8080': inner,
          'allow 10.0.0.10;': `allow ${HOP};`,
          ...ofInner,
        }),
      );
      const addresses = {
        '10.0.1.10:8080': inner,
        'listen 443 ssl;': `listen ${HOP}:${ports.edge} ssl;`,
        '/srv/preview/': `${PREVIEW}/`,
      };
      started.push(await Nginx.start('edge.conf', ports.edge, { ...addresses, ...ofEdge }, files()));
      return new TwoHops(services, started, ports);
    } catch (error) {
      await endAll(services, started);
      throw error;
    }
  }

  /** One hop, at the root of its host unless the environment says otherwise. */
  static async startOne(
    database: TestDatabase,
    environment: Readonly<Record<string, string>> = {},
    ofHop: Substitutions = {},
  ): Promise<TwoHops> {
    const settings = { ...production(database), TRUST_PROXY: HOP, ...environment };
    const services = [new Child('main.js', [], settings), new Child('main.js', [], settings)] as const;
    try {
      const [one, other] = await Promise.all(services.map(async (service) => new URL(await service.address()).host));
      const edge = await freePort();
      const addresses = {
        '10.0.2.11:3000': one ?? '',
        '10.0.2.12:3000': other ?? '',
        'listen 443 ssl;': `listen ${HOP}:${edge} ssl;`,
      };
      const hop = await Nginx.start('one-hop.conf', edge, { ...addresses, ...ofHop }, files());
      return new TwoHops(services, [hop], { edge, inner: edge });
    } catch (error) {
      await endAll(services, []);
      throw error;
    }
  }

  /** A request of a client to the edge. */
  call(method: string, path: string, { headers = {}, body, from = CLIENT }: Sent = {}): Promise<Came> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const options: RequestOptions = {
      agent: this.agentOf(from),
      host: HOP,
      port: this.ports.edge,
      servername: 'localhost',
      method,
      path,
      headers: {
        Host: 'cms.example.com',
        ...(text === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const asked = request(options, (answer) => {
        buffer(answer)
          .then((bytes) => {
            resolve(came(answer.statusCode ?? 0, answer.headers, bytes));
          })
          .catch(reject);
      });
      asked.once('error', reject);
      asked.end(text);
    });
  }

  /** The port of the inner hop, which clients should not reach. */
  get innerPort(): number {
    return this.ports.inner;
  }

  /** The log of the edge. */
  get edgeLog(): string {
    return this.hops[1]?.log('content-service.log') ?? '';
  }

  async stop(): Promise<void> {
    for (const agent of this.agents.values()) agent.destroy();
    await endAll(this.services, this.hops);
  }

  private agentOf(localAddress: string): Agent {
    const known = this.agents.get(localAddress);
    if (known) return known;
    const agent = new Agent({ keepAlive: true, localAddress, ca: readFileSync(certificateOf('localhost')) });
    this.agents.set(localAddress, agent);
    return agent;
  }
}

/** Files of people who may read drafts. */
const PREVIEW = `${__dirname}/../fixtures/import`;

/** The settings that README.md of `deploy/nginx` names. */
const BEHIND_HOPS = {
  BASE_PATH: '/cms',
  TRUST_PROXY: HOP,
  TOKEN_HEADER: 'X-Content-Token',
  GATEWAY_SECRET,
  GATEWAY_USERS: JSON.stringify(GROUPS),
};

function files(): Readonly<Record<string, string>> {
  const certificate = certificateOf('localhost');
  return {
    'tls.pem': readFileSync(certificate, 'utf8'),
    'tls.key': readFileSync(certificate.replace('.pem', '.key'), 'utf8'),
    'people.htpasswd': `${ANN.name}:${salted(ANN.password)}\n`,
    'groups.conf': `${ANN.name} cms-admins;\n`,
    'secret.conf': `default ${GATEWAY_SECRET};\n`,
  };
}

/** `{SSHA}`, as RFC 2307 has it. */
function salted(password: string): string {
  const salt = randomBytes(8);
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}

async function endAll(services: readonly Child[], hops: readonly Nginx[]): Promise<void> {
  await Promise.all(hops.map((hop) => hop.stop()));
  await Promise.all(services.map((service) => service.kill('SIGTERM')));
}

function came(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Came {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  return { status, headers, bytes, text, body: isJson ? (JSON.parse(text) as unknown) : null };
}

/** Credentials of a person of the gateway. */
export function basic(name: string, password: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}
