import type { ServerResponse } from 'node:http';

/** A reader who takes less of a long answer loses the connection. */
const LEAST_BYTES_PER_SECOND = 6_554;
/** So much longer each piece may take, milliseconds. */
const GRACE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Milliseconds in which a reader has to take so many bytes. */
export function longestMs(bytes: number): number {
  return GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/**
 * Cuts the connection of a reader who takes less than the least rate: the memory of the
 * answer would be taken for as long as the reader stays connected.
 *
 * @returns what ends the watch
 */
export function watchRate(response: ServerResponse): () => void {
  let waitedMs = 0;
  const begin = (): void => {
    waitedMs = 0;
  };
  const look = (): void => {
    waitedMs = response.writableLength > 0 ? waitedMs + LOOK_EVERY_MS : 0;
    if (waitedMs > longestMs(response.writableLength)) response.destroy();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  response.on('drain', begin);
  return () => {
    clearInterval(timer);
    response.off('drain', begin);
  };
}
