import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Clock } from '../../common/clock.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';
import { AppendOnlyDocument } from './append-only-document.js';
import type { SitemapDocument } from './sitemap-documents.js';
import { Semaphore } from '../../common/concurrency/semaphore.js';

/** Files that are written at the same time; a crawler that wants all parts at once waits instead of filling memory. */
const BUILDS = 4;
const DRAFT = 'draft-';
const DRAFT_LIFE_MS = 3_600_000;

/** Compressed files of the sitemap. Each is written once for all who ask for it, and kept until it has changed. */
@Injectable()
export class DocumentCache implements OnModuleDestroy {
  private readonly folder: string;
  private readonly semaphore = new Semaphore(BUILDS);
  /** By path. */
  private readonly growing = new Map<string, AppendOnlyDocument>();
  private readonly builds = new Set<Promise<void>>();

  constructor(
    { dataDir }: Settings,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.folder = join(dataDir, 'cache', 'sitemap');
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.builds);
  }

  /** The file, compressed. Comes as soon as its first bytes are there. */
  async read(document: SitemapDocument): Promise<Readable> {
    const path = join(this.folder, `${document.name}.${document.validator}.xml.gz`);
    return this.growing.get(path)?.read() ?? (await this.kept(path)) ?? this.begun(document, path).read();
  }

  private async kept(path: string): Promise<Readable | null> {
    const handle = await open(path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    return handle?.createReadStream() ?? null;
  }

  private begun(document: SitemapDocument, path: string): AppendOnlyDocument {
    const already = this.growing.get(path);
    if (already) return already;
    const file = new AppendOnlyDocument(join(this.folder, `${DRAFT}${randomUUID()}`), path);
    this.growing.set(path, file);
    const build = this.build(document, path, file)
      .catch((err: unknown) => {
        this.log.error({ err }, `the sitemap file ${document.name} could not be written`);
      })
      .finally(() => this.builds.delete(build));
    this.builds.add(build);
    return file;
  }

  /** A failure reaches the readers that wait for the file through their read. */
  private async build(document: SitemapDocument, path: string, file: AppendOnlyDocument): Promise<void> {
    try {
      await this.semaphore.run(async () => file.fill(await document.xml()));
    } finally {
      // Before its release: no reader may begin after that.
      this.growing.delete(path);
      await file.release();
    }
    await this.removeOthers(document, path);
  }

  /** What the file was before, and drafts of processes that ended while they wrote. */
  private async removeOthers({ name }: SitemapDocument, path: string): Promise<void> {
    for (const entry of await readdir(this.folder)) {
      const other = join(this.folder, entry);
      const isOld = entry.startsWith(`${name}.`)
        ? other !== path
        : entry.startsWith(DRAFT) && (await this.isStale(other));
      if (isOld) await rm(other, { force: true });
    }
  }

  private async isStale(draft: string): Promise<boolean> {
    const found = await stat(draft).catch(() => null);
    return found !== null && this.clock.now() - found.mtimeMs > DRAFT_LIFE_MS;
  }
}
