import { send, type RawAnswer, type RawCall } from './raw.js';
import type { ServiceProcess } from './service.js';

/** One of the worst requests of its kind. */
export interface LoopCase {
  readonly title: string;
  /** Without a credential: then less is allowed. */
  readonly isOpen: boolean;
  /** About records of hundreds of kilobytes or more: then more is allowed. */
  readonly isLargest?: boolean;
  /** Number of times that it can be sent; by default any number. */
  readonly runs?: number;
  /** Makes what the request needs; not measured. */
  readonly prepare?: (turn: number) => Promise<unknown>;
  /** In a process of its own, which has answered nothing yet. */
  readonly isFirst?: boolean;
  /** Takes away what other cases need: not among the cases unless it is named. */
  readonly isLast?: boolean;
  /** @param service that is measured */
  readonly run: (turn: number, service: ServiceProcess) => Promise<RawAnswer | null>;
}

/** The service in which the cases happen. */
export interface Place {
  readonly service: ServiceProcess;
  readonly databaseUrl: string;
}

/** The same request each time. */
export function fixed({ service }: Place, title: string, call: RawCall): LoopCase {
  return { title, isOpen: call.isOpen === true, run: () => send(service, call) };
}

/** Several at once: the slowest of them. */
export async function together(count: number, one: (n: number) => Promise<RawAnswer>): Promise<RawAnswer> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  const [slowest] = answers.sort((a, b) => b.ms - a.ms);
  if (!slowest) throw new Error('Nothing was asked for.');
  return slowest;
}
