import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface DocsAsset {
  readonly folder: string;
  readonly name: string;
}

const OWN = join(import.meta.dirname, 'assets');
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** All files that the page needs, and no other file of the package. */
const FILES: readonly DocsAsset[] = [
  { folder: SWAGGER_UI, name: 'swagger-ui.css' },
  { folder: SWAGGER_UI, name: 'swagger-ui-bundle.js' },
  { folder: OWN, name: 'docs.css' },
  { folder: OWN, name: 'docs.js' },
];

/** The scripts and styles of the documentation page, under addresses that change when their contents do. */
@Injectable()
export class DocsAssets {
  private known: string | undefined;

  /** Read with the first request for the page: it is 1.5 MB that no other request needs. */
  get version(): string {
    this.known ??= FILES.reduce(
      (hash, { folder, name }) => hash.update(readFileSync(join(folder, name))),
      createHash('sha1'),
    )
      .digest('hex')
      .slice(0, 12);
    return this.known;
  }

  find(version: string, name: string): DocsAsset | null {
    return version === this.version ? (FILES.find((file) => file.name === name) ?? null) : null;
  }
}
