import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Port to the taxonomies, which types name without knowing them. */
export interface KnownTaxonomies {
  /** The names of all taxonomies. */
  names(): Promise<readonly string[]>;
  /** Those of some names that no taxonomy has. The others stay until the unit of work ends. */
  hold(manager: EntityManager, names: readonly string[]): Promise<readonly string[]>;
}

/** Where the implementation of {@link KnownTaxonomies} hangs itself up at start. */
@Injectable()
export class KnownTaxonomiesHolder {
  private taxonomies: KnownTaxonomies | undefined;

  use(taxonomies: KnownTaxonomies): void {
    this.taxonomies = taxonomies;
  }

  get(): KnownTaxonomies {
    if (!this.taxonomies) throw new Error('Nothing is registered that knows the taxonomies.');
    return this.taxonomies;
  }
}
