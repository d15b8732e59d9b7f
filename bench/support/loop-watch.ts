import { openSync, readSync } from 'node:fs';

/**
 * Loaded into the service by `--import`: measures from within how long its event loop is held, and answers every
 * message of the benchmark with the longest hold since the last one.
 */
export interface LongestHold {
  /** Between two turns of the loop, milliseconds. */
  readonly wallMs: number;
  /** The same without the time in which the thread was ready to run and another process had its core. */
  readonly heldMs: number;
}

const TICK_MS = 1;
const NANOS_PER_MS = 1e6;
const text = Buffer.alloc(128);
const statistics = openStatistics();

/** Of the thread that opens it, which is the one with the loop. Linux only. */
function openStatistics(): number | null {
  try {
    return openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return null;
  }
}

/** How long the thread has waited for a core so far. The file says: time on a core, time waiting, turns. */
function waitedMs(): number {
  if (statistics === null) return 0;
  const length = readSync(statistics, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / NANOS_PER_MS;
}

let at = performance.now();
let waited = waitedMs();
let longest: LongestHold = { wallMs: 0, heldMs: 0 };

function tick(): void {
  const [now, waitedNow] = [performance.now(), waitedMs()];
  const wallMs = now - at - TICK_MS;
  const heldMs = Math.max(0, wallMs - (waitedNow - waited));
  longest = { wallMs: Math.max(longest.wallMs, wallMs), heldMs: Math.max(longest.heldMs, heldMs) };
  [at, waited] = [now, waitedNow];
  setTimeout(tick, TICK_MS).unref();
}

process.on('message', () => {
  // What holds the loop this very moment is in the next tick.
  setTimeout(() => {
    process.send?.(longest);
    longest = { wallMs: 0, heldMs: 0 };
  }, 2 * TICK_MS);
});
process.channel?.unref();
tick();
