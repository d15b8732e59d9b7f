import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Port to whoever names taxonomies and does not know them: the content types. */
export interface TaxonomyReferrers {
  /** Names of the content types that use a taxonomy. */
  typesWith(manager: EntityManager, taxonomy: string): Promise<readonly string[]>;
}

/** Where the implementation of {@link TaxonomyReferrers} hangs itself up at start. */
@Injectable()
export class TaxonomyReferrersHolder {
  private referrers: TaxonomyReferrers | undefined;

  use(referrers: TaxonomyReferrers): void {
    this.referrers = referrers;
  }

  get(): TaxonomyReferrers {
    if (!this.referrers) throw new Error('Nothing is registered that knows who uses a taxonomy.');
    return this.referrers;
  }
}
