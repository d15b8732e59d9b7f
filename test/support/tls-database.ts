import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const CLIENT_SSL = 0x0800;
/** PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH and CONNECT_WITH_DB, as any server has them. */
const CAPABILITIES = 0x0008_8208;
const ACCESS_DENIED = 1045;
const SSL_REQUEST_BYTES = 36;

export function certificateOf(name: 'localhost' | 'elsewhere'): string {
  return join(__dirname, '../fixtures/tls', `${name}.pem`);
}

/**
 * What a database server says until a client has signed in, encrypted where the client asks for it; no client is let in.
 *
 * @see https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html
 */
export class TlsDatabase {
  /** Logins that came in plain text, and those that came encrypted, by the name of the user. */
  readonly logins = { plain: [] as string[], encrypted: [] as string[] };
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  /** Takes over where a client asks for encryption: its first encrypted bytes may come along with the question. */
  private readonly encrypted: Server;

  private constructor(
    certificate: 'localhost' | 'elsewhere',
    private readonly offersTls: boolean,
  ) {
    const path = certificateOf(certificate);
    const pair = { cert: readFileSync(path), key: readFileSync(path.replace('.pem', '.key')) };
    this.encrypted = createTlsServer(pair, (socket) => {
      this.keep(socket).once('data', (sent: Buffer) => {
        this.refuse(socket, sent, this.logins.encrypted);
      });
    });
    this.server = createServer((socket) => {
      this.greet(this.keep(socket));
    });
  }

  static async start(certificate: 'localhost' | 'elsewhere', offersTls = true): Promise<TlsDatabase> {
    const database = new TlsDatabase(certificate, offersTls);
    await once(database.server.listen(0, 'localhost'), 'listening');
    await once(database.encrypted.listen(0, '127.0.0.1'), 'listening');
    return database;
  }

  get url(): string {
    return `mysql://ann:hush@localhost:${(this.server.address() as AddressInfo).port}/cms`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.server, this.encrypted]) await new Promise((resolve) => server.close(resolve));
  }

  private keep<Kept extends Socket>(socket: Kept): Kept {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // clients that go away
    return socket;
  }

  private greet(socket: Socket): void {
    socket.write(packet(0, greeting(CAPABILITIES | (this.offersTls ? CLIENT_SSL : 0))));
    socket.once('data', (sent: Buffer) => {
      const asksForTls = (sent.readUInt32LE(4) & CLIENT_SSL) !== 0;
      if (!asksForTls) {
        this.refuse(socket, sent, this.logins.plain);
        return;
      }
      const inner = this.keep(connect((this.encrypted.address() as AddressInfo).port, '127.0.0.1'));
      inner.write(sent.subarray(SSL_REQUEST_BYTES));
      socket.pipe(inner).pipe(socket);
    });
  }

  private refuse(socket: Socket, login: Buffer, kept: string[]): void {
    // The name stands behind capabilities, size of packets, collation and 23 empty bytes.
    const name = login.subarray(4 + 32);
    kept.push(name.subarray(0, name.indexOf(0)).toString());
    const code = Buffer.from([ACCESS_DENIED & 0xff, ACCESS_DENIED >> 8]);
    socket.write(
      packet(login[3] === 1 ? 2 : 3, Buffer.concat([Buffer.from([0xff]), code, Buffer.from('#28000refused')])),
    );
  }
}

function greeting(capabilities: number): Buffer {
  const [low, high] = [Buffer.alloc(2), Buffer.alloc(2)];
  low.writeUInt16LE(capabilities & 0xffff);
  high.writeUInt16LE(capabilities >>> 16);
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from('9.7.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    low,
    Buffer.from([45, 2, 0]),
    high,
    Buffer.from([21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]);
}

function packet(sequence: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, content]);
}
