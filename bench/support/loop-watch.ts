import { openSync, readSync } from 'node:fs';
import { LoopProfile } from './loop-profile.js';

/**
 * Loaded into the service by `--import`: measures from within how long its event loop is held, and answers every
 * message of the benchmark with the longest hold since the last one. Times are milliseconds.
 */
export interface LongestHold {
  /** Between two turns of the loop. */
  readonly wallMs: number;
  /** The same without the time in which the thread was ready to run and another process had its core. */
  readonly heldMs: number;
  /** The part of it on a core. The rest is waiting for the disk, for memory or for another thread. */
  readonly cpuMs: number;
  /** Functions that took the time, if they were asked for. */
  readonly profile: readonly string[];
  readonly memory: NodeJS.MemoryUsage;
}

type Hold = Pick<LongestHold, 'wallMs' | 'heldMs' | 'cpuMs'> & { readonly from: number; readonly to: number };

const TICK_MS = 1;
const NANOS_PER_MS = 1e6;
const NONE: Hold = { wallMs: 0, heldMs: 0, cpuMs: 0, from: 0, to: 0 };
const text = Buffer.alloc(128);
const statistics = openStatistics();

/** Opens the statistics of the calling thread, which is the one with the loop. Linux only. */
function openStatistics(): number | null {
  try {
    return openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return null;
  }
}

/** Time that the thread has had on a core so far, and time that it has waited for one. The file says: both, and its turns. */
function scheduled(): { cpu: number; waited: number } {
  if (statistics === null) return { cpu: 0, waited: 0 };
  const length = readSync(statistics, text, 0, text.length, 0);
  const [cpu = 0, waited = 0] = text.toString('latin1', 0, length).split(' ').map(Number);
  return { cpu: cpu / NANOS_PER_MS, waited: waited / NANOS_PER_MS };
}

let at = performance.now();
let before = scheduled();
let longest = NONE;

function tick(): void {
  const [now, after] = [performance.now(), scheduled()];
  const wallMs = Math.max(0, now - at - TICK_MS);
  const heldMs = Math.max(0, wallMs - (after.waited - before.waited));
  if (heldMs > longest.heldMs) longest = { wallMs, heldMs, cpuMs: after.cpu - before.cpu, from: at, to: now };
  [at, before] = [now, after];
  setTimeout(tick, TICK_MS).unref();
}

const profile = process.env.LOOP_PROFILE === 'yes' ? new LoopProfile() : null;

async function answer(): Promise<void> {
  const { from, to, ...hold } = longest;
  const seen: LongestHold = {
    ...hold,
    profile: (await profile?.between(from, to)) ?? [],
    memory: process.memoryUsage(),
  };
  longest = NONE;
  [at, before] = [performance.now(), scheduled()];
  process.send?.(seen);
}

process.on('message', () => {
  // What holds the loop this very moment is in the next tick.
  setTimeout(() => void answer(), 2 * TICK_MS);
});
process.channel?.unref();
tick();
