import type { EntityManager } from 'typeorm';

/** What is used of a connection of better-sqlite3. */
interface File {
  unsafeMode(isOn: boolean): void;
}

/**
 * Does work that writes to the tables inside of a virtual table of SQLite, such as a full-text index. The connection takes
 * no such write otherwise.
 */
export async function writingShadowTables(manager: EntityManager, work: () => Promise<void>): Promise<void> {
  // The driver is that of SQLite wherever there are virtual tables.
  const { databaseConnection: file } = manager.dataSource.driver as unknown as { readonly databaseConnection: File };
  file.unsafeMode(true);
  try {
    await work();
  } finally {
    file.unsafeMode(false);
  }
}
