import 'reflect-metadata';

export interface JobOptions {
  /** `records.fold-counts`: the feature and what is done. */
  readonly name: string;
  /** Milliseconds between two beginnings; without it the job does not repeat. */
  readonly every?: number;
  /** True if it also runs once, when the application has started or when it answers requests, which no command does. */
  readonly once?: 'started' | 'listening';
  /** One instance repeats the job: the one that has this lock (`JobLocks`). What runs `once` does so on each. */
  readonly lock?: string;
  readonly failure: string;
}

export interface DeclaredJob extends JobOptions {
  readonly method: string;
}

const JOBS = Symbol('jobs');

/** Has {@link JobRunner} run a method, one at a time for each object. A stop aborts its `AbortSignal`, and waits for it. */
export function Job(options: JobOptions): MethodDecorator {
  return (prototype, method) => {
    Reflect.defineMetadata(JOBS, [...jobsOf(prototype), { ...options, method: String(method) }], prototype);
  };
}

export function jobsOf(object: object): readonly DeclaredJob[] {
  return (Reflect.getMetadata(JOBS, object) as readonly DeclaredJob[] | undefined) ?? [];
}
