import { Session, type Profiler } from 'node:inspector';

const MICROS_PER_MS = 1_000;
const SAMPLE_MICROS = 500;
const SHOWN = 14;

/** Says which functions were running while the loop was held. */
export class LoopProfile {
  private readonly session = new Session();
  /** Microseconds of the profiler's clock, less those of `performance.now`. */
  private readonly offset = Number(process.hrtime.bigint() / 1_000n) - performance.now() * MICROS_PER_MS;

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
    this.session.post('Profiler.start');
  }

  /** The functions with most milliseconds, callees included, between two times of `performance.now`. Begins anew. */
  async between(from: number, to: number): Promise<string[]> {
    const profile = await new Promise<Profiler.Profile>((resolve, reject) => {
      this.session.post('Profiler.stop', (error, answer) => {
        if (error) reject(error);
        else resolve(answer.profile);
      });
    });
    this.session.post('Profiler.start');
    return longestOf(profile, from * MICROS_PER_MS + this.offset, to * MICROS_PER_MS + this.offset);
  }
}

function longestOf(profile: Profiler.Profile, from: number, to: number): string[] {
  const { nodes } = profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const times = new Map<string, { own: number; all: number }>();
  for (const { id, ms } of samplesOf(profile, from, to)) {
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      stack.push(nameOf(byId.get(at)?.callFrame));
    }
    for (const name of new Set(stack)) {
      const { own, all } = times.get(name) ?? { own: 0, all: 0 };
      times.set(name, { own: own + (name === stack[0] ? ms : 0), all: all + ms });
    }
  }
  return [...times]
    .sort(([, a], [, b]) => b.own + b.all - a.own - a.all)
    .slice(0, SHOWN)
    .map(
      ([name, { own, all }]) => `${all.toFixed(1).padStart(7)} ms, ${own.toFixed(1).padStart(6)} of its own  ${name}`,
    );
}

function samplesOf({ samples = [], timeDeltas = [], startTime }: Profiler.Profile, from: number, to: number) {
  let time = startTime;
  return samples.flatMap((id, n) => {
    time += timeDeltas[n] ?? 0;
    const isWithin = time >= from && time <= to;
    return isWithin ? [{ id, ms: (timeDeltas[n + 1] ?? 0) / MICROS_PER_MS }] : [];
  });
}

function nameOf(frame: Profiler.ProfileNode['callFrame'] | undefined): string {
  if (!frame) return '';
  const file = frame.url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
  return `${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`;
}
