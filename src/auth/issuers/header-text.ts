import { isUtf8 } from 'node:buffer';

/** The text of a header, of which Node makes a character of each byte: UTF-8 where the bytes are that, otherwise Latin-1. */
export function headerText(received: string): string {
  const bytes = Buffer.from(received, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : received;
}
