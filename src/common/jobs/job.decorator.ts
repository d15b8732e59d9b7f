import 'reflect-metadata';

/** The times of a background job, and the words about it. */
export interface JobOptions {
  /** `records.fold-counts`: the feature and what is done. */
  readonly name: string;
  /** Milliseconds between two beginnings; without it the job does not repeat. */
  readonly every?: number;
  /** True if it also runs once, when the application has started or when it answers requests, which no command does. */
  readonly once?: 'started' | 'listening';
  /**
   * Only the one instance of the service that has this lock repeats the job (`JobLocks`). The jobs of one lock are done by
   * one instance. What runs `once` does so at the start of each.
   */
  readonly lock?: string;
  /** The line of the log about its failure. */
  readonly failure: string;
}

export interface DeclaredJob extends JobOptions {
  /** The method that does it. */
  readonly method: string;
}

const JOBS = Symbol('jobs');

/**
 * Has {@link JobRunner} run a method in the background. Jobs of one object run one at a time. The method gets an
 * `AbortSignal` that a stop aborts, and should then begin no further step: the stop waits for it.
 */
export function Job(options: JobOptions): MethodDecorator {
  return (prototype, method) => {
    Reflect.defineMetadata(JOBS, [...jobsOf(prototype), { ...options, method: String(method) }], prototype);
  };
}

/** The jobs that the class of an object declares, in the order of their methods. */
export function jobsOf(object: object): readonly DeclaredJob[] {
  return (Reflect.getMetadata(JOBS, object) as readonly DeclaredJob[] | undefined) ?? [];
}
