import type { SqlValue } from '../statements/statement.js';

/** Shorter texts are written out within a millisecond, whatever they hold. */
const LONG = 65_536;

/**
 * A long text as servers take it in hexadecimal digits. Written out in quotation marks it would be looked through letter
 * by letter, and a megabyte with many line ends or apostrophes in it held the event loop for 80 ms.
 */
class HexText {
  constructor(private readonly text: string) {}

  /** Asked by mysql2. */
  toSqlString(): string {
    return `_utf8mb4 X'${Buffer.from(this.text).toString('hex')}'`;
  }
}

/** Whether a text is written out in hexadecimal digits. */
export function isWrittenAsHex(text: string): boolean {
  return text.length >= LONG;
}

/** A value as mysql2 takes it. */
export function writtenOut(value: SqlValue): SqlValue | HexText {
  return typeof value === 'string' && isWrittenAsHex(value) ? new HexText(value) : value;
}
