import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, read as JSON; `null` where there is none. */
  readonly body: Record<string, unknown> | null;
}

/** Everything that came over one connection. */
export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** Whether the server has ended the connection. */
  readonly isClosed: boolean;
}

/** Waited for in turns of a timer and not in time: what came while the process stood still is read between two of them. */
const TURN_MS = 50;
/** A busy machine may be slow to begin an answer; between two of them it is not. */
const FIRST_ANSWER_TURNS = 1_200;
const QUIET_TURNS = 20;

/** Sends bytes over a connection of its own, and collects answers until the server ends it or has gone quiet. */
export function sendRaw(port: number, ...parts: readonly (string | Buffer)[]): Promise<RawExchange> {
  const socket = connect(port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  return collect(socket);
}

/** Answers of a connection until the server ends it or has gone quiet. */
export function collect(socket: Socket): Promise<RawExchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let turnsLeft = FIRST_ANSWER_TURNS;
    const timer = setInterval(() => {
      turnsLeft -= 1;
      if (turnsLeft === 0) finish(false);
    }, TURN_MS);
    const finish = (isClosed: boolean): void => {
      clearInterval(timer);
      socket.destroy();
      resolve({ answers: parse(Buffer.concat(chunks).toString('latin1')), isClosed });
    };
    socket.on('data', (chunk: Buffer) => {
      turnsLeft = QUIET_TURNS;
      chunks.push(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('end', () => {
      finish(true);
    });
    socket.on('close', () => {
      finish(true);
    });
  });
}

function parse(stream: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = stream;
  while (rest.startsWith('HTTP/1.1 ')) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [first = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(lines.map(header));
    const start = head.length + 4;
    const end = start + Number(headers['content-length'] ?? 0);
    const text = Buffer.from(rest.slice(start, end), 'latin1').toString('utf8');
    answers.push({ status: Number(first.split(' ')[1]), headers, text, body: asJson(text) });
    rest = rest.slice(end);
  }
  return answers;
}

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function asJson(text: string): Record<string, unknown> | null {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null;
}
