import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import {
  KnownTaxonomiesHost,
  type KnownTaxonomies,
  type RemovedTaxonomy,
} from '../../content-types/store/known-taxonomies.port.js';
import { allTypeOptions } from '../../content-types/store/type-rows.js';
import type { Position } from '../../content-types/store/type-usage.port.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { readerOf } from '../../database/statements/reads.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { holdTaxonomies } from '../../taxonomy/taxonomies/taxonomy.js';
import { TaxonomyReferrersHost, type TaxonomyReferrers } from '../../taxonomy/taxonomies/taxonomy-referrers.port.js';
import { TermReplacement } from './term-replacement.js';

/** Connects content types and taxonomies, which do not know each other: which taxonomies there are, and which types use them. */
@Injectable()
export class TypeTaxonomies implements KnownTaxonomies, TaxonomyReferrers, OnModuleInit {
  constructor(
    private readonly known: KnownTaxonomiesHost,
    private readonly referrers: TaxonomyReferrersHost,
    private readonly taxonomies: TaxonomiesService,
    private readonly dialect: Dialect,
    private readonly replacement: TermReplacement,
  ) {}

  onModuleInit(): void {
    this.known.use(this);
    this.referrers.use(this);
  }

  async names(): Promise<readonly string[]> {
    return (await this.taxonomies.latest()).map(({ name }) => name);
  }

  async hold(manager: EntityManager, names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const found = await holdTaxonomies(manager, this.dialect, names);
    return names.filter((name) => !found.has(name));
  }

  withdraw(left: RemovedTaxonomy, after: Position | null, caller: Caller): Promise<Position | null> {
    return this.replacement.withdraw(left, after, caller);
  }

  async typesWith(manager: EntityManager, taxonomy: string): Promise<readonly string[]> {
    const types = await allTypeOptions(readerOf(manager));
    return types.filter(({ options }) => options.taxonomies.includes(taxonomy)).map(({ name }) => name);
  }
}
