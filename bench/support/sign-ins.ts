import { ask, type Call, type Body } from './load.js';
import { median } from './compare.js';
import { AUTHORIZATION, type ServiceProcess } from './service.js';

const PASSWORD = 'a password for measuring';
const READERS = 4;

/** Somebody who can sign in. */
export interface Account {
  readonly id: number;
  readonly email: string;
}

/** New accounts. The caller removes them. */
export async function accounts(service: ServiceProcess, count: number): Promise<Account[]> {
  const made: Account[] = [];
  const run = Date.now().toString(36);
  for (let index = 0; index < count; index += 1) {
    const email = `bench-${run}-${index}@example.com`;
    const body = { name: 'Bench', email, password: PASSWORD, role: 'editor' };
    const { id }: Body = await ask(service, { method: 'POST', path: '/api/users', body });
    made.push({ id, email });
  }
  return made;
}

export async function remove(service: ServiceProcess, made: readonly Account[]): Promise<void> {
  for (const { id } of made) {
    await fetch(`${service.url}/api/users/${id}`, {
      method: 'DELETE',
      headers: { authorization: AUTHORIZATION },
    });
  }
}

export function loginCall({ email }: Account): Call {
  return { method: 'POST', path: '/api/auth/login', body: { email, password: PASSWORD } };
}

/** Counts sign-ins a second, one after the other for each account, all accounts side by side. */
export async function loginsPerSecond(
  service: ServiceProcess,
  made: readonly Account[],
  seconds: number,
): Promise<number> {
  const start = performance.now();
  let done = 0;
  const client = async (account: Account): Promise<void> => {
    while (performance.now() - start < seconds * 1_000) {
      await ask(service, loginCall(account));
      done += 1;
    }
  };
  await Promise.all(made.map(client));
  return done / ((performance.now() - start) / 1_000);
}

/** Times of reads while something else goes on, milliseconds. */
export interface Reads {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
}

/** Reads by a few clients for as long as `others` take. */
export async function readsDuring(service: ServiceProcess, read: () => Call, others: Promise<unknown>): Promise<Reads> {
  const times: number[] = [];
  let isOver = false;
  const end = others.finally(() => (isOver = true));
  const reader = async (): Promise<void> => {
    do {
      const start = performance.now();
      await ask(service, read());
      times.push(performance.now() - start);
    } while (!isOver);
  };
  await Promise.all([end, ...Array.from({ length: READERS }, reader)]);
  const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
  return { p50Ms: median(times), p99Ms, count: times.length };
}

/** Many sign in at the same moment; those who are turned away are counted, not tried again. */
export async function loginsAtOnce(
  service: ServiceProcess,
  made: readonly Account[],
  count: number,
): Promise<{ readonly letIn: number; readonly turnedAway: number }> {
  const one = async (index: number): Promise<number> => {
    const { path, body } = loginCall(made[index % made.length] ?? { id: 0, email: '' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const statuses = await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  const isIn = statuses.filter((status) => status === 200).length;
  if (statuses.some((status) => status !== 200 && status !== 503)) throw new Error(`Answers: ${statuses.join()}`);
  return { letIn: isIn, turnedAway: count - isIn };
}
