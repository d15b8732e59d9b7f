import { HttpAdapterHost, type DiscoveryService } from '@nestjs/core';
import pino from 'pino';
import { Job } from './job.decorator.js';
import { JobLocks } from './job-locks.js';
import { JobRunner } from './job-runner.js';

class Cleaning {
  readonly done: string[] = [];
  wait: Promise<void> = Promise.resolve();
  signal: AbortSignal | undefined;
  signalOfBin: AbortSignal | undefined;

  @Job({ name: 'cleaning.sweep', every: 10, once: 'started', failure: 'the floor could not be swept' })
  async sweep(signal?: AbortSignal): Promise<void> {
    this.done.push('sweep');
    this.signal = signal;
    await this.wait;
  }

  @Job({ name: 'cleaning.polish', every: 1_000, failure: 'nothing could be polished' })
  polish(): Promise<void> {
    this.done.push('polish');
    return Promise.reject(new Error('no wax'));
  }

  @Job({ name: 'cleaning.open', once: 'listening', failure: 'the door could not be opened' })
  open(): Promise<void> {
    this.done.push('open');
    return Promise.resolve();
  }

  @Job({ name: 'cleaning.bin', every: 1_000, lock: 'bin', failure: 'the bin could not be emptied' })
  emptyBin(signal?: AbortSignal): Promise<void> {
    this.done.push('bin');
    this.signalOfBin = signal;
    return Promise.resolve();
  }

  byHand(): void {
    this.done.push('by hand');
  }
}

/** Locks of an instance, held or not as the test says. */
class Locks extends JobLocks {
  readonly doubt = new AbortController();
  isHeld = true;
  isGivenBack = false;

  async run(_: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.isHeld) await work(AbortSignal.any([signal, this.doubt.signal]));
  }

  giveBack(): void {
    this.isGivenBack = true;
  }
}

describe('The runner of jobs', () => {
  let lines: { msg: string }[];
  let cleaning: Cleaning;
  let other: Cleaning;
  let host: HttpAdapterHost;
  let locks: Locks;
  let runner: JobRunner;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    lines = [];
    [cleaning, other] = [new Cleaning(), new Cleaning()];
    host = new HttpAdapterHost();
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as { msg: string }) });
    const provider = (instance: unknown) => ({ instance, isDependencyTreeStatic: () => true });
    // A provider that two modules know, values that are no objects, and one that is made for each request.
    const found = [cleaning, cleaning, other, null, 'a value', { plain: 'value' }].map(provider);
    found.push({ instance: new Cleaning(), isDependencyTreeStatic: () => false });
    const providers = { getProviders: () => found } as unknown as DiscoveryService;
    locks = new Locks();
    runner = new JobRunner({ providers, host, locks }, { now: () => Date.now() }, log, () => null);
  });

  afterEach(async () => {
    await runner.stop();
    jest.useRealTimers();
  });

  const turn = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

  it('runs what is marked, once for each object, by its intervals', async () => {
    runner.begin();

    await turn(25);

    expect(cleaning.done).toEqual(['sweep', 'sweep', 'sweep']);
    expect(other.done).toEqual(cleaning.done);
  });

  it('runs what waits for requests when they are answered', async () => {
    runner.begin();
    await turn();
    expect(cleaning.done).not.toContain('open');

    host.listening = true;
    await turn();

    expect(cleaning.done).toContain('open');
  });

  it('lets jobs of one object wait for each other, and not for those of another one', async () => {
    let end = (): void => undefined;
    cleaning.wait = new Promise((resolve) => (end = resolve));
    runner.begin();
    const added: string[] = [];
    void runner.queueOf(cleaning).start(() => Promise.resolve(added.push('cleaning')));
    void runner.queueOf(other).start(() => Promise.resolve(added.push('other')));

    await turn();
    expect(added).toEqual(['other']);

    end();
    await turn();
    expect(added).toEqual(['other', 'cleaning']);
  });

  it('remembers when a job last ended well, and logs a failure by its sentence', async () => {
    runner.begin();
    await turn(1_000);

    expect(runner.lastSuccesses.get('cleaning.sweep')).toBe(1_001_000);
    expect(runner.lastSuccesses.has('cleaning.polish')).toBe(false);
    expect(lines.map(({ msg }) => msg)).toEqual(['nothing could be polished', 'nothing could be polished']);
  });

  it('repeats a job with a lock only while this instance has the lock', async () => {
    runner.begin();
    locks.isHeld = false;
    await turn(1_000);
    expect(cleaning.done).not.toContain('bin');

    locks.isHeld = true;
    await turn(1_000);
    expect(cleaning.done).toContain('bin');
  });

  it('aborts the signal of a job whose lock may be lost, and of no other one', async () => {
    runner.begin();
    await turn(1_000);

    locks.doubt.abort();

    const { signal, signalOfBin } = cleaning;
    expect([signalOfBin?.aborted, signal?.aborted, runner.stopping.aborted]).toEqual([true, false, false]);
  });

  it('leaves its locks to others when everything has ended', async () => {
    let end = (): void => undefined;
    cleaning.wait = new Promise((resolve) => (end = resolve));
    runner.begin();
    await turn();

    const stopped = runner.stop();
    await turn(100);
    expect(locks.isGivenBack).toBe(false);

    end();
    await stopped;
    expect(locks.isGivenBack).toBe(true);
  });

  it('aborts its signals at the stop, begins nothing more, and waits for what is under way', async () => {
    let end = (): void => undefined;
    cleaning.wait = new Promise((resolve) => (end = resolve));
    runner.begin();
    await turn();
    let isStopped = false;

    const stopped = runner.stop().then(() => (isStopped = true));
    await turn(100);
    expect([runner.stopping.aborted, cleaning.signal?.aborted, isStopped]).toEqual([true, true, false]);

    end();
    await stopped;
    expect(cleaning.done).toEqual(['sweep']);
  });
});
