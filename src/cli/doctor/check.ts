import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Settings } from '../../config/settings.js';
import type { Dialect } from '../../database/dialect/dialect.js';

/** The result of a check: one sentence and, where something is wrong, what to do. */
export interface CheckResult {
  readonly ok: boolean;
  readonly message: string;
}

/** A database that is open for reading alone, with the tables of this version. */
export interface OpenDatabase {
  readonly source: DataSource;
  readonly dialect: Dialect;
  readonly settings: Settings;
}

/** Named or listed beside the number of all. */
const MOST_NAMED = 20;

/** Some ids of many: `7, 9 …`. */
export function someOf(ids: readonly number[]): string {
  return `${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ' …' : ''}`;
}

/** The faults that were found or, if there are none, a sentence that says so. */
export function verdict(faults: readonly string[], fine: string): CheckResult[] {
  return faults.length > 0 ? faults.map((message) => ({ ok: false, message })) : [{ ok: true, message: fine }];
}

/** A fault with examples below it; none, if the count is 0. @param sentence is given what follows the number of all */
export function withExamples(count: number, examples: string[], sentence: (listed: string) => string): string[] {
  const listed = count > examples.length ? ` (the first ${examples.length} are listed below)` : '';
  return count === 0 ? [] : [sentence(listed), ...examples];
}

export interface Service {
  get<Part>(part: Type<Part>): Promise<Part>;
}

/** One thing that `doctor` looks at without changing it. One that throws counts as failed, and the others go on. */
export interface Check<Subject> {
  readonly name: string;
  readonly isDeep?: boolean;
  /** @param isDeep whether it may take its time and read all of the content */
  look(subject: Subject, isDeep: boolean): Promise<readonly CheckResult[]> | readonly CheckResult[];
  /** Mends what is derived from content, in small units of work: the service may run. @returns a sentence for each thing done */
  repair?(subject: Subject, service: Service, isDeep: boolean): Promise<readonly string[]>;
}
