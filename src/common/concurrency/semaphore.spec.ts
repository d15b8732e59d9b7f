import { Semaphore } from './semaphore.js';

describe('Semaphore', () => {
  it('lets so many run at a time, and the others in the order in which they came', async () => {
    const semaphore = new Semaphore(2);
    const begun: string[] = [];
    const gates = new Map<string, () => void>();
    const runs = ['a', 'b', 'c', 'd'].map((name) =>
      semaphore.run(() => {
        begun.push(name);
        return new Promise<void>((resolve) => gates.set(name, resolve));
      }),
    );
    const end = async (name: string): Promise<void> => {
      gates.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    };

    await end('none');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all([end('c'), end('d'), ...runs]);
  });

  it('gives the permit of a run that fails to the next one', async () => {
    const semaphore = new Semaphore(1);

    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('takes a permit back once', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    release();
    release();

    await semaphore.acquire();
    let isIn = false;
    void semaphore.acquire().then(() => (isIn = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
  });
});
