import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Port to the content types, which name taxonomies and do not know them. */
export interface TaxonomyReferrers {
  /** The names of the content types that use a taxonomy. */
  typesWith(manager: EntityManager, taxonomy: string): Promise<readonly string[]>;
}

/** Hands out the implementation of {@link TaxonomyReferrers}, which registers itself at start; as `HttpAdapterHost` of Nest does. */
@Injectable()
export class TaxonomyReferrersHost {
  private referrers: TaxonomyReferrers | undefined;

  use(referrers: TaxonomyReferrers): void {
    this.referrers = referrers;
  }

  get(): TaxonomyReferrers {
    if (!this.referrers) throw new Error('Nothing is registered that knows who uses a taxonomy.');
    return this.referrers;
  }
}
