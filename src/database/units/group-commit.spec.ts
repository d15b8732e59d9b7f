import type { EntityManager, QueryRunner } from 'typeorm';
import type { DomainError } from '../../common/errors/domain-error.js';
import { stopMonotonicClock } from '../../../test/support/clock.js';
import { GroupCommit } from './group-commit.js';

/** Notes the statements that reach the database, and can fail at certain ones. */
class Database {
  readonly statements: string[] = [];
  readonly failing = new Set<string>();
  readonly manager = {} as EntityManager;

  readonly deadlines: number[] = [];
  readonly units: GroupCommit;

  constructor(limits?: { waiting: number; waitMs: number }) {
    this.units = new GroupCommit(this.transactions, limits);
  }

  private readonly transactions: ConstructorParameters<typeof GroupCommit>[0] = {
    begin: (until) => {
      this.deadlines.push(until);
      return this.send('BEGIN').then(() => this as unknown as QueryRunner);
    },
    commit: () => this.send('COMMIT'),
    undo: () => this.send('ROLLBACK'),
    alone: async (work, until) => {
      this.deadlines.push(until);
      await this.send('BEGIN alone');
      const result = await work(this.manager);
      await this.send('COMMIT alone');
      return result;
    },
  };

  query(statement: string): Promise<void> {
    return this.send(statement);
  }

  send(what: string): Promise<void> {
    this.statements.push(what);
    return this.failing.has(what) ? Promise.reject(new Error(`${what} failed`)) : Promise.resolve();
  }

  /** A unit that says its name when it runs. */
  unit(name: string): Promise<string> {
    return this.units.run(async () => {
      await this.send(name);
      return name;
    });
  }
}

describe('GroupCommit', () => {
  let database: Database;

  beforeEach(() => {
    database = new Database();
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('gives one unit a transaction of its own', async () => {
    expect(await database.unit('a')).toBe('a');
    expect(database.statements).toEqual(['BEGIN alone', 'a', 'COMMIT alone']);
  });

  it('lets units that wait share one commit, in the order in which they came', async () => {
    stopMonotonicClock();
    expect(await Promise.all(['a', 'b', 'c'].map((name) => database.unit(name)))).toEqual(['a', 'b', 'c']);
    expect(database.statements.filter((what) => /^[abc]$|BEGIN|COMMIT/.test(what))).toEqual([
      'BEGIN',
      'a',
      'b',
      'c',
      'COMMIT',
    ]);
  });

  it('answers nothing before the commit', async () => {
    const committed = ['a', 'b'].map((name) => database.unit(name).then(() => database.statements.includes('COMMIT')));
    expect(await Promise.all(committed)).toEqual([true, true]);
  });

  it('needs no savepoints as long as no unit fails', async () => {
    stopMonotonicClock();
    await Promise.all(['a', 'b', 'c'].map((name) => database.unit(name)));
    expect(database.statements).toEqual(['BEGIN', 'a', 'b', 'c', 'COMMIT']);
  });

  it('takes back what fails, and that alone', async () => {
    stopMonotonicClock();
    database.failing.add('b');
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => database.unit(name)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const last = database.statements.slice(database.statements.lastIndexOf('BEGIN'));
    expect(last.filter((what) => !what.startsWith('SAVEPOINT') && !what.startsWith('RELEASE'))).toEqual([
      ...['BEGIN', 'a', 'b', 'ROLLBACK TO unit', 'c', 'COMMIT'],
    ]);
    expect(database.statements.filter((what) => what === 'COMMIT')).toHaveLength(1);
  });

  it('keeps to savepoints for a while after a failure, and then does without', async () => {
    stopMonotonicClock();
    const isWithSavepoints = async () => {
      database.statements.length = 0;
      await Promise.all(['a', 'c'].map((name) => database.unit(name)));
      return database.statements.includes('SAVEPOINT unit');
    };
    database.failing.add('b');
    await Promise.allSettled(['a', 'b'].map((name) => database.unit(name)));

    expect(await isWithSavepoints()).toBe(true);
    for (let groups = 0; groups < 100; groups += 1) await isWithSavepoints();
    expect(await isWithSavepoints()).toBe(false);
  });

  it('takes in what comes while it gathers', async () => {
    stopMonotonicClock();
    const later = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return database.unit('c');
    };
    await Promise.all([database.unit('a'), database.unit('b'), later()]);
    expect(database.statements).toEqual(['BEGIN', 'a', 'b', 'c', 'COMMIT']);
  });

  it('waits a moment for as many as came with the last ones', async () => {
    stopMonotonicClock();
    await Promise.all(['a', 'b'].map((name) => database.unit(name)));
    database.statements.length = 0;
    // The pause lasts until the unit is there, and that takes more turns than a group gathers in by itself.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const later = async () => {
      for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      return database.unit('d');
    };

    await Promise.all([database.unit('c'), later()]);

    expect(database.statements).toEqual(['BEGIN', 'c', 'd', 'COMMIT']);
  });

  it('does not keep waiting for those who no longer come', async () => {
    stopMonotonicClock();
    await Promise.all(['a', 'b', 'c'].map((name) => database.unit(name)));
    database.statements.length = 0;

    await database.unit('d');
    await database.unit('e');

    expect(database.statements).toEqual(['BEGIN alone', 'd', 'COMMIT alone', 'BEGIN alone', 'e', 'COMMIT alone']);
  });

  it.each(['COMMIT', 'BEGIN'])('runs each unit again by itself when %s fails', async (statement) => {
    database.failing.add(statement);

    expect(await Promise.all(['a', 'b'].map((name) => database.unit(name)))).toEqual(['a', 'b']);
    expect(database.statements.filter((what) => what === 'COMMIT alone')).toHaveLength(2);
  });

  it('runs each unit again by itself when it can get no savepoint', async () => {
    stopMonotonicClock();
    for (const failing of ['b', 'SAVEPOINT unit']) database.failing.add(failing);

    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => database.unit(name)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(database.statements.filter((what) => what === 'COMMIT alone')).toHaveLength(2);
  });

  it('goes on after a failure', async () => {
    database.failing.add('a');
    await expect(database.unit('a')).rejects.toThrow('a failed');
    expect(await database.unit('b')).toBe('b');
  });

  it('closes a group that has taken long, however many wait', async () => {
    const pass = stopMonotonicClock();
    const slow = Array.from({ length: 4 }, () =>
      database.units.run(() => {
        pass(10);
        return Promise.resolve();
      }),
    );
    await Promise.all(slow);
    expect(database.statements.filter((what) => what.startsWith('COMMIT')).length).toBeGreaterThan(1);
  });

  describe('under more than it can do', () => {
    const outcomesOf = (units: readonly Promise<unknown>[]) =>
      Promise.all(units.map((unit) => unit.then(String, (error: unknown) => (error as DomainError).error)));

    it('refuses what would be one too many in the queue, and does the others', async () => {
      stopMonotonicClock();
      const busy = new Database({ waiting: 3, waitMs: 1_000 });

      const outcomes = await outcomesOf(['a', 'b', 'c', 'd'].map((name) => busy.unit(name)));

      expect(outcomes).toEqual(['a', 'b', 'c', 'overloaded']);
      expect(busy.statements).not.toContain('d');
      expect(await busy.unit('e')).toBe('e');
    });

    it('does not begin what has waited for too long', async () => {
      const pass = stopMonotonicClock();
      const busy = new Database({ waiting: 10, waitMs: 20 });
      let late: Promise<unknown> | undefined;

      const first = await busy.units.run(() => {
        late = outcomesOf([busy.unit('late')]);
        pass(21);
        return Promise.resolve('first');
      });

      expect(first).toBe('first');
      expect(await late).toEqual(['overloaded']);
      expect(busy.statements).not.toContain('late');
    });

    it('has one deadline for a unit, however often the database refuses to begin', async () => {
      database.failing.add('BEGIN');

      await Promise.all(['a', 'b'].map((name) => database.unit(name)));

      expect(database.deadlines).toHaveLength(3);
      expect(database.deadlines[1]).toBe(database.deadlines[0]);
    });
  });
});
