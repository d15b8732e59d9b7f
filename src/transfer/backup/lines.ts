import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const LINE_END = 0x0a;
/** Compressed; what comes out of it at a time is also what goes into a database at a time. */
const READ_BYTES = 256 * 1024;
const UNZIPPED_BYTES = 1024 * 1024;

/** Lines with their ends, as many as came at a time, and how much of the file they took. */
export interface Lines {
  readonly lines: readonly Buffer[];
  /** Compressed bytes that were read for them. */
  readonly bytes: number;
}

/**
 * Reads a compressed file line by line. By its bytes: Node's own reader of lines also ends one at U+2028.
 *
 * @param longest bytes of a line at most
 * @throws {RangeError} a longer line, or one without an end
 */
export async function* linesOfFile(file: string, longest: number): AsyncGenerator<Lines> {
  const compressed = createReadStream(file, { highWaterMark: READ_BYTES });
  // Its failures are those of the last stream, which is read below.
  const unzipped = pipeline(compressed, createGunzip({ chunkSize: UNZIPPED_BYTES }), () => undefined);
  let rest: Buffer[] = [];
  let restBytes = 0;
  let bytes = 0;
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end === 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > longest) throw new RangeError('The line is too long.');
      continue;
    }
    const { bytesRead } = compressed;
    yield { lines: split(Buffer.concat([...rest, chunk.subarray(0, end)])), bytes: bytesRead - bytes };
    bytes = bytesRead;
    rest = [chunk.subarray(end)];
    restBytes = chunk.length - end;
  }
  if (restBytes > 0) throw new RangeError('The last line has no end.');
}

function split(whole: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < whole.length;) {
    const end = whole.indexOf(LINE_END, start) + 1;
    lines.push(whole.subarray(start, end));
    start = end;
  }
  return lines;
}
