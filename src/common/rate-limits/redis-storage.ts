import type { OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { CircuitBreaker } from '../concurrency/circuit-breaker.js';
import { readGauge } from '../metrics/read-gauge.js';
import { countOf, LimitStorage, type Count, type LimitWindow } from './limit-storage.js';
import type { MemoryStorage } from './memory-storage.js';

const ANSWER_MS = 50;
const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_PAUSE_MS = 2_000;
/** One slot of a cluster, since one script takes all windows of a request. */
const PREFIX = '{cms}:limit:';

/**
 * The times of requests of each window, in microseconds of the clock of Redis. A request is added to all lists or to none.
 * `ARGV`: 1 to count and 0 to look, then the limit and the milliseconds of each window. Answers with the number of each,
 * the microseconds until its oldest request leaves, and whether it was full.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local isFull = {}
local isAnyFull = false
for i = 1, #KEYS do
  local over = now - ARGV[2 * i + 1] * 1000
  while true do
    local oldest = redis.call('LINDEX', KEYS[i], 0)
    if not oldest or tonumber(oldest) > over then break end
    redis.call('LPOP', KEYS[i])
  end
  isFull[i] = redis.call('LLEN', KEYS[i]) >= tonumber(ARGV[2 * i])
  isAnyFull = isAnyFull or isFull[i]
end
local answer = {}
for i = 1, #KEYS do
  local within = tonumber(ARGV[2 * i + 1])
  if ARGV[1] == '1' and not isAnyFull then
    redis.call('RPUSH', KEYS[i], string.format('%.0f', now))
    redis.call('PEXPIRE', KEYS[i], within)
  end
  local oldest = tonumber(redis.call('LINDEX', KEYS[i], 0) or now)
  answer[#answer + 1] = redis.call('LLEN', KEYS[i])
  answer[#answer + 1] = oldest + within * 1000 - now
  answer[#answer + 1] = isFull[i] and 1 or 0
end
return answer
`;

interface Scripted {
  drawWindows(keys: number, ...all: (string | number)[]): Promise<readonly number[]>;
}

/** Sliding windows in Redis or Valkey. A command that cannot be sent at once fails, and none is retried. */
export class RedisWindows {
  private constructor(private readonly redis: Redis & Scripted) {}

  /** Connects, again whenever the connection is lost. @param connected called each time that questions can be sent */
  static async open(url: string, connected: () => void): Promise<RedisWindows> {
    const { Redis: Client } = await import('ioredis');
    const redis = new Client(url, {
      connectTimeout: CONNECT_TIMEOUT_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (tries) => Math.min(LONGEST_PAUSE_MS, tries * 100),
      scripts: { drawWindows: { lua: SCRIPT } },
    });
    // Each command says so as well.
    redis.on('error', () => undefined);
    redis.on('ready', connected);
    // The client has a method for each script that it is given.
    return new RedisWindows(redis as Redis & Scripted);
  }

  draw(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    return this.run(1, keys);
  }

  look(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    return this.run(0, keys);
  }

  async giveBack(keys: readonly LimitWindow[]): Promise<void> {
    await inTime(Promise.all(keys.map((key) => this.redis.rpop(nameOf(key)))));
  }

  close(): void {
    this.redis.disconnect();
  }

  private async run(mode: 0 | 1, keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    const names = keys.map(nameOf);
    const limits = keys.flatMap(({ limit, within }) => [limit, within]);
    const answer = await inTime(this.redis.drawWindows(keys.length, ...names, mode, ...limits));
    return keys.map((key, n) => {
      const [used = 0, resetMicros = 0, isFull = 0] = answer.slice(3 * n, 3 * n + 3);
      return countOf(key, used, resetMicros / 1_000, isFull === 1);
    });
  }
}

function nameOf({ window, key }: LimitWindow): string {
  return `${PREFIX}${window}:${key}`;
}

/** As `commandTimeout` of the client, but that a process which was busy first reads what has arrived meanwhile. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => {
      reject(new Error(`no answer within ${ANSWER_MS} ms`));
    };
    timer = setTimeout(() => setImmediate(fail), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Counts for all instances in Redis, and in each as well: those limits hold while Redis is away, slow or at rest.
 * No request waits for it longer than fifty milliseconds.
 */
export class RedisStorage extends LimitStorage implements OnApplicationShutdown {
  private readonly breaker = new CircuitBreaker();
  private readonly unanswered: Counter;

  constructor(
    private readonly local: MemoryStorage,
    private readonly redis: RedisWindows,
    private readonly log: Logger,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.unanswered = new Counter({
      name: 'cms_redis_unanswered_total',
      help: 'Requests that were counted by this instance alone, since Redis did not answer in time.',
      registers,
    });
    readGauge({ name: 'cms_redis_up', help: 'Whether Redis is asked at present.', registers }, () =>
      this.breaker.isOn ? 0 : 1,
    );
  }

  override async draw(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    const own = await this.local.draw(keys);
    // What is too much for one instance is too much for all of them.
    if (isRefused(own)) return own;
    const shared = await this.ask(() => this.redis.draw(keys));
    if (shared === null) return own;
    if (isRefused(shared)) await this.local.giveBack(keys);
    return shared;
  }

  override async look(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    const own = await this.local.look(keys);
    return isRefused(own) ? own : ((await this.ask(() => this.redis.look(keys))) ?? own);
  }

  override async giveBack(keys: readonly LimitWindow[]): Promise<void> {
    await this.local.giveBack(keys);
    await this.ask(() => this.redis.giveBack(keys));
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    if (this.breaker.isOn) return null;
    try {
      const answer = await question();
      if (this.breaker.succeeded())
        this.log.info('Redis answers again: requests are counted for all instances together');
      return answer;
    } catch (error) {
      this.unanswered.inc();
      if (this.breaker.failed()) {
        const reason = error instanceof Error ? error.message : String(error);
        this.log.warn({ reason }, 'Redis does not answer: each instance counts requests for itself');
      }
      return null;
    }
  }
}

function isRefused(counts: readonly Count[]): boolean {
  return counts.some(({ isBlocked }) => isBlocked);
}
