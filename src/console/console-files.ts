import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../config/settings.js';

interface BuiltConsole {
  readonly folder: string;
  /** The page, with a mark at the place of what differs from answer to answer. */
  readonly page: string;
  /** Names of the files that the page loads. No other file of the folder is served. */
  readonly assets: ReadonlySet<string>;
}

const LIST = 'console.json';

/** The files of the console. Nothing is read before the first request that needs them. */
@Injectable()
export class ConsoleFiles {
  private built: Promise<BuiltConsole | null> | undefined;

  constructor(private readonly settings: Settings) {}

  /** `null`: it has not been built. */
  find(): Promise<BuiltConsole | null> {
    this.built ??= this.read();
    return this.built;
  }

  private async read(): Promise<BuiltConsole | null> {
    const { consoleFolder: folder } = this.settings;
    try {
      // Written by the build.
      const assets = JSON.parse(await readFile(join(folder, LIST), 'utf8')) as readonly string[];
      return { folder, page: await readFile(join(folder, 'index.html'), 'utf8'), assets: new Set(assets) };
    } catch {
      return null;
    }
  }
}
