import { DomainError } from '../../common/errors/domain-error.js';
import type { SqlValue } from './dialect.js';

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The bytes that MySQL and MariaDB take in one packet unless they say otherwise. */
const USUAL_BYTES = 16 * 1_048_576;
/** A letter is written out in so many bytes at most: three, in two digits each where the text is long. */
const BYTES_PER_LETTER = 6;
/** Larger packets make nothing faster. */
const MAX_WEIGHT = 1_000_000;
/** For what stands around the text of a statement: its packet has a head, its values have marks. */
const SPARE_BYTES = 4_096;

/** The limit of one packet, as the latest session says: after a restart or a failover the server may take less. */
export class PacketLimit {
  /** True if several servers take writes, where each statement is a packet by itself. */
  isOfCluster = false;
  bytes = USUAL_BYTES;

  get weight(): number {
    return Math.min(MAX_WEIGHT, Math.floor((this.bytes - SPARE_BYTES) / BYTES_PER_LETTER));
  }

  /** @throws {DomainError} `payload_too_large`: the server would break off the connection */
  requireFits(statement: Statement, weight: number): void {
    const most = this.bytes - SPARE_BYTES;
    if (weight * BYTES_PER_LETTER > most && bytesOf(statement) > most) throw tooLarge(this.bytes);
  }
}

/** Letters of a statement with its values: what it is at least as long as, and at most {@link BYTES_PER_LETTER} times so. */
export function weightOf({ sql, values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + weightOfValue(value), sql.length);
}

export function weightOfRow(row: readonly SqlValue[]): number {
  return row.reduce<number>((sum, value) => sum + weightOfValue(value), 0);
}

/** Bytes are written in two letters each, numbers in a few, and all stand between commas. */
function weightOfValue(value: SqlValue): number {
  if (typeof value === 'string') return value.length + 8;
  return Buffer.isBuffer(value) ? 2 * value.length + 8 : 8;
}

function bytesOf({ sql, values }: Statement): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? bytesOfText(value) : weightOfValue(value)),
    Buffer.byteLength(sql),
  );
}

function bytesOfText(text: string): number {
  const bytes = Buffer.byteLength(text);
  return isWrittenAsHex(text) ? 2 * bytes + 16 : bytes + escapes(text) + 3;
}

function escapes(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/[\0\b\t\n\r\x1a"'\\]/g)) count += 1;
  return count;
}

export function tooLarge(bytes: number | null, cause?: unknown): DomainError {
  const limit = bytes === null ? 'max_allowed_packet' : `max_allowed_packet is ${bytes} bytes`;
  return new DomainError(
    'payload_too_large',
    `This is more than the database server takes in one statement (${limit}): shorten it, or let the operator raise the limit.`,
    { cause },
  );
}

/** Shorter texts are written out within a millisecond, whatever they hold. */
const LONG = 65_536;

/** A long text in hexadecimal digits. In quotation marks a megabyte of line ends held the event loop for 80 ms. */
class HexText {
  constructor(private readonly text: string) {}

  toSqlString(): string {
    return `_utf8mb4 X'${Buffer.from(this.text).toString('hex')}'`;
  }
}

function isWrittenAsHex(text: string): boolean {
  return text.length >= LONG;
}

/** A value as mysql2 takes it. */
export function writtenOut(value: SqlValue): SqlValue | HexText {
  return typeof value === 'string' && isWrittenAsHex(value) ? new HexText(value) : value;
}
