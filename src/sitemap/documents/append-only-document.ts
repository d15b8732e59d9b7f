import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DomainError } from '../../common/errors/domain-error.js';
import type { XmlStreams } from './sitemap-xml.js';

const CHUNK_BYTES = 65_536;

/**
 * A compressed file that is read while it is being written: by any number of readers, each at its own pace.
 * The writer waits for no reader, and nothing but the file remembers what a slow reader has still to get.
 */
export class AppendOnlyDocument {
  private length = 0;
  private isComplete = false;
  private failure: unknown;
  private wake = (): void => undefined;
  private growth = this.nextGrowth();
  /** Users of the handle: the writer and the readers share one, since the file may be gone before the last has read it. */
  private users = 1;
  private readonly handle: Promise<FileHandle>;

  /** @param draft file to write; it becomes `path` once it is whole */
  constructor(
    private readonly draft: string,
    private readonly path: string,
  ) {
    this.handle = mkdir(dirname(draft), { recursive: true }).then(() => open(draft, 'wx+'));
    // A failure reaches those that await the handle; without one, it would count as an unhandled rejection.
    this.handle.catch(() => undefined);
  }

  /** Writes the file. @throws what kept it from being written; readers get the same error */
  async fill(xml: XmlStreams): Promise<void> {
    try {
      const handle = await this.handle;
      await pipeline([...xml, createGzip(), this.sink(handle)]);
      // A power cut must not leave half a file under the name of a whole one.
      await handle.datasync();
      await rename(this.draft, this.path);
      this.isComplete = true;
    } catch (error) {
      this.failure = isDiskFull(error) ? noRoom(error) : error;
      await rm(this.draft, { force: true });
      throw this.failure;
    } finally {
      this.wakeAll();
    }
  }

  /** The bytes of the file from the first one on, as they come. @throws what kept the first one from being written */
  async read(): Promise<Readable> {
    this.users += 1;
    try {
      await this.grownBeyond(0);
      return new Follower(this, await this.handle);
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  /** Waits for more than `position` bytes. Returns whether there ever will be. */
  async grownBeyond(position: number): Promise<boolean> {
    while (this.length <= position && !this.isComplete) {
      if (this.failure !== undefined) throw this.failure as Error;
      await this.growth;
    }
    return this.length > position;
  }

  /** Gives up one use of the handle, of the writer or of a reader; the last one closes it. */
  async release(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    const handle = await this.handle.catch(() => null);
    await handle?.close();
  }

  private sink(handle: FileHandle): Writable {
    const write = async (chunk: Buffer): Promise<void> => {
      await handle.appendFile(chunk);
      this.length += chunk.length;
      this.wakeAll();
    };
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        write(chunk).then(() => {
          done();
        }, done);
      },
    });
  }

  private wakeAll(): void {
    const { wake } = this;
    this.growth = this.nextGrowth();
    wake();
  }

  private nextGrowth(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function noRoom(cause: unknown): DomainError {
  return new DomainError('storage_full', 'The disk of DATA_DIR has no room left for the file of the sitemap.', {
    cause,
  });
}

class Follower extends Readable {
  private position = 0;

  constructor(
    private readonly file: AppendOnlyDocument,
    private readonly handle: FileHandle,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    this.next().then(
      (chunk) => this.push(chunk),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.file.release().then(() => {
      done(error);
    }, done);
  }

  private async next(): Promise<Buffer | null> {
    if (!(await this.file.grownBeyond(this.position))) return null;
    const { bytesRead, buffer } = await this.handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      this.position,
    );
    this.position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}
