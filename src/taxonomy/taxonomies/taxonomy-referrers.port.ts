import { PortHost } from '../../common/port-host.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Port to the content types, which name taxonomies and do not know them. */
export interface TaxonomyReferrers {
  /** The names of the content types that use a taxonomy. */
  typesWith(manager: EntityManager, taxonomy: string): Promise<readonly string[]>;
}

@Injectable()
export class TaxonomyReferrersHost extends PortHost<TaxonomyReferrers> {}
