import { measure, warmUp, type Figures, type Work } from './load.js';
import { ONLY, ROUNDS, SECONDS } from './options.js';
import type { ServiceProcess } from './service.js';

/** One of two things that are measured in turns. */
export interface Side {
  readonly title: string;
  readonly service: ServiceProcess;
  readonly work: Work;
}

/** The result: the median round of each side, and the median of the ratios of neighbouring rounds. */
export interface Comparison {
  readonly a: Side;
  readonly b: Side;
  readonly ofA: Figures;
  readonly ofB: Figures;
  /** Rate of A by rate of B. */
  readonly rateRatio: number;
  readonly lowestRatio: number;
  /** CPU of a request of B by that of A: the same ratio, untouched by whatever else the machine does. */
  readonly cpuRatio: number;
}

/** Measures A and B in turns, so that whatever slows the machine down slows both. */
export async function compare(a: Side, b: Side): Promise<Comparison | null> {
  if (!`${a.title} ${b.title}`.includes(ONLY)) return null;
  for (const { service, work } of [a, b]) {
    await warmUp(service, work, Math.min(2, SECONDS));
    await measure(service, work, 1);
  }
  const rounds: { ofA: Figures; ofB: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofA = await measure(a.service, a.work, SECONDS);
    rounds.push({ ofA, ofB: await measure(b.service, b.work, SECONDS) });
  }
  const ratios = rounds.map(({ ofA, ofB }) => ofA.perSecond / ofB.perSecond);
  const result: Comparison = {
    a,
    b,
    ofA: medianRound(rounds.map(({ ofA }) => ofA)),
    ofB: medianRound(rounds.map(({ ofB }) => ofB)),
    rateRatio: median(ratios),
    lowestRatio: Math.min(...ratios),
    cpuRatio: median(rounds.map(({ ofA, ofB }) => ofB.cpuMicros / ofA.cpuMicros)),
  };
  process.stdout.write(rowOf(result));
  return result;
}

export function median(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? NaN;
}

function medianRound(rounds: readonly Figures[]): Figures {
  const of = (key: keyof Figures) => median(rounds.map((round) => round[key]));
  return { perSecond: of('perSecond'), cpuMicros: of('cpuMicros'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
}

export const HEADING = `
| A | B | A req/s | B req/s | A/B (lowest round) | A µs CPU | B µs CPU | B/A by CPU | A p50 / p99 ms | B p50 / p99 ms |
|---|---|---|---|---|---|---|---|---|---|
`;

function rowOf({ a, b, ofA, ofB, rateRatio, lowestRatio, cpuRatio }: Comparison): string {
  const cells = [
    a.title,
    b.title,
    ofA.perSecond.toFixed(0),
    ofB.perSecond.toFixed(0),
    `${percent(rateRatio)} (${percent(lowestRatio)})`,
    ofA.cpuMicros.toFixed(0),
    ofB.cpuMicros.toFixed(0),
    percent(cpuRatio),
    times(ofA),
    times(ofB),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)} %`;
}

function times({ p50Ms, p99Ms }: Figures): string {
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;
}
