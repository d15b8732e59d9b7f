import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ThreadConnection } from '../../database/reading-threads/thread-connection.js';
import type { ChangeMark } from '../changes/record-changes.js';
import { CREATE_INDEX, TUNE_INDEX } from '../fts5/fts5-table.js';
import type { LocalChange } from './local-program.js';

const PROGRAM = pathToFileURL(join(import.meta.dirname, 'local-program.js')).href;
/** Of the tables and of how documents are written into them. A file of another version is made anew. */
const VERSION = '2';
/** A thread takes some 15 MB, and a tenth of a second of processor to start. */
const IDLE_MS = 10_000;
const JOURNAL_BYTES = 16 * 1024 * 1024;
const CREATE = [
  'PRAGMA journal_mode = WAL',
  CREATE_INDEX,
  TUNE_INDEX,
  'CREATE TABLE documents (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, at INTEGER NOT NULL)',
  'CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
];
/** What is lost when the machine stops is read again, since the place in the list of changes is lost with it. */
const CONNECT = ['PRAGMA synchronous = NORMAL', `PRAGMA journal_size_limit = ${JOURNAL_BYTES}`];

/** The file cannot be used as it is. */
export class LocalFileError extends Error {}

/** How far a file has come. */
export interface LocalState {
  /** Id of the last record that is copied; `null`: all are. */
  readonly copiedTo: number | null;
  /** Up to which change. */
  readonly mark: ChangeMark;
}

/** The file of the local index, as far as it is written: in a thread that ends when it has had nothing to do for a while. */
export class LocalFile {
  private thread: ThreadConnection | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(readonly path: string) {}

  /**
   * How far an earlier process has come; `null`: there is no file that can be used.
   *
   * The file is looked through first, which takes a second for 100,000 documents: what is damaged may be found only when
   * it is searched for, or give wrong hits.
   */
  async resumeState(): Promise<LocalState | null> {
    try {
      const rows = await this.using((thread) => thread.select<{ name: string; value: string }>('SELECT * FROM notes'));
      const notes = new Map(rows.map(({ name, value }) => [name, value]));
      if (notes.get('version') !== VERSION) return null;
      if (!(await this.isSound())) return null;
      // The service has written it itself.
      return JSON.parse(notes.get('state') ?? 'null') as LocalState | null;
    } catch (error) {
      if (error instanceof LocalFileError || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  /** Begins with an empty file. @throws {LocalFileError} */
  async create(): Promise<void> {
    try {
      await this.discard();
      await writeFile(this.path, '', { mode: 0o600 });
    } catch (cause) {
      throw new LocalFileError('The file of the search index cannot be made.', { cause });
    }
    await this.using(async (thread) => {
      for (const sql of CREATE) await thread.select(sql);
    });
    await this.change({ notes: { version: VERSION } });
  }

  /** Removes the file, so that no process goes on with it. */
  async discard(): Promise<void> {
    await this.stopThread();
    for (const end of ['', '-wal', '-shm']) await rm(this.path + end, { force: true });
  }

  /** All of it or nothing. @throws {LocalFileError} */
  async change({ gone = [], documents = [], notes = {} }: Partial<LocalChange>, state?: LocalState): Promise<void> {
    if (gone.length + documents.length + Object.keys(notes).length === 0 && !state) return;
    const all = state ? { ...notes, state: JSON.stringify(state) } : notes;
    const change: LocalChange = { gone, documents, notes: all };
    await this.using((thread) => thread.call(PROGRAM, change));
  }

  /** Leaves the file to a later process. */
  close(): Promise<void> {
    return this.stopThread();
  }

  private async isSound(): Promise<boolean> {
    const [row] = await this.using((thread) => thread.select<{ quick_check: string }>('PRAGMA quick_check(1)'));
    return row?.quick_check === 'ok';
  }

  private async using<Result>(work: (thread: ThreadConnection) => Promise<Result>): Promise<Result> {
    clearTimeout(this.idle);
    try {
      const thread = this.thread?.isOver === false ? this.thread : await this.start();
      return await work(thread);
    } catch (cause) {
      throw new LocalFileError('The file of the search index cannot be used.', { cause });
    } finally {
      clearTimeout(this.idle);
      this.idle = setTimeout(() => void this.stopThread(), IDLE_MS).unref();
    }
  }

  private async start(): Promise<ThreadConnection> {
    const thread = new ThreadConnection(this.path, 'index', { isReadOnly: false });
    this.thread = thread;
    for (const sql of CONNECT) await thread.select(sql);
    return thread;
  }

  private async stopThread(): Promise<void> {
    clearTimeout(this.idle);
    const { thread } = this;
    this.thread = undefined;
    await thread?.stop();
  }
}
