import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser that was never used before, and is never used again. */
export class FreshChromium {
  private constructor(
    readonly context: BrowserContext,
    private readonly folder: string,
  ) {}

  static async start(): Promise<FreshChromium> {
    const folder = await mkdtemp(join(tmpdir(), 'cms-chromium-'));
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const context = await chromium.launchPersistentContext(folder, { executablePath, args: FLAGS });
    return new FreshChromium(context, folder);
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
