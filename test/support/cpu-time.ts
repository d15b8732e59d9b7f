/** Milliseconds of work since some moment. Unlike time on the wall they do not grow with what else the machine does. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Measurements of each side: a machine that is busy makes any of them longer, and none of them shorter. */
const MEASUREMENTS = 10;

/**
 * How much longer one thing takes than another one: the shortest measurement of each, taken in turns until they are
 * below the bound, or some times.
 */
export function leastRatio(long: () => number, short: () => number, bound: number): number {
  let [leastLong, leastShort] = [Infinity, Infinity];
  for (let times = 0; times < MEASUREMENTS && !(leastLong / leastShort < bound); times += 1) {
    leastShort = Math.min(leastShort, short());
    leastLong = Math.min(leastLong, long());
  }
  return leastLong / leastShort;
}

/** Milliseconds of work of the shortest run: of the first one below the bound, or of some. */
export async function leastTime(work: () => Promise<unknown>, bound: number): Promise<number> {
  let least = Infinity;
  for (let times = 0; times < MEASUREMENTS && least >= bound; times += 1) {
    const start = cpuTime();
    await work();
    least = Math.min(least, cpuTime() - start);
  }
  return least;
}
