import type { EntityManager, QueryRunner } from 'typeorm';

/** Items that are still to be written over a connection, by their writer. */
type Owed = Map<LateWrites<never>, unknown[]>;

const connections = new WeakMap<QueryRunner, Owed>();

/**
 * Writes that units of one transaction share, such as changes of a counter: they gather until the `COMMIT`, or until a
 * statement names the table. Other connections make them at once.
 */
export class LateWrites<Item> {
  /** @param table no statement reads it under another name @param write gets items in the order in which they were added */
  constructor(
    readonly table: string,
    readonly write: (manager: EntityManager, items: readonly Item[]) => Promise<void>,
  ) {}

  async add(manager: EntityManager, items: readonly Item[]): Promise<void> {
    const owed = manager.queryRunner && connections.get(manager.queryRunner);
    if (!owed) return this.write(manager, items);
    if (items.length === 0) return;
    const gathered = owed.get(this);
    if (gathered) gathered.push(...items);
    else owed.set(this, [...items]);
  }

  async flush(manager: EntityManager): Promise<void> {
    if (manager.queryRunner) await writeOwed(manager.queryRunner, this.table);
  }
}

/** From now on late writes of a connection gather; its commits call {@link writeOwed} first. */
export function gatherLateWrites(runner: QueryRunner): void {
  if (!connections.has(runner)) connections.set(runner, new Map());
}

/** Tells whether something is still to be written to a table that a statement names. */
export function isOwedTo(runner: QueryRunner, sql: string): boolean {
  const owed = connections.get(runner);
  if (!owed || owed.size === 0) return false;
  for (const { table } of owed.keys()) if (sql.includes(table)) return true;
  return false;
}

/** @param sql writes only what a statement may see; without it all that has gathered */
export async function writeOwed(runner: QueryRunner, sql?: string): Promise<void> {
  const owed = connections.get(runner);
  if (!owed) return;
  for (const [late, items] of owed) {
    if (sql !== undefined && !sql.includes(late.table)) continue;
    // Taken out before, so that its own statements find nothing that would have to be written first.
    owed.delete(late);
    await late.write(runner.manager, items as never[]);
  }
}

/** Forgets what has gathered: the units that it was of are undone. */
export function dropOwed(runner: QueryRunner): void {
  connections.get(runner)?.clear();
}
