import { Injectable } from '@nestjs/common';
import { Reads, readerOf } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { TaxonomiesService } from '../../taxonomies/taxonomies.service.js';
import type { Taxonomy } from '../../taxonomies/taxonomy.js';
import { Term } from '../../taxonomies/taxonomy.entity.js';
import { TermStore } from '../term-store.js';
import { misplacedTerms, termIdsAfter } from './tree-faults.js';

/** Terms that a unit of work puts right. */
const PORTION = 200;

/** Makes paths, sort keys and levels of terms anew from their parents, while others write. */
@Injectable()
export class TreeRepair {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly taxonomies: TaxonomiesService,
    private readonly store: TermStore,
  ) {}

  /** @returns how many terms were put right */
  async run(): Promise<number> {
    let mended = 0;
    for (let after = 0; ;) {
      const ids = await termIdsAfter(this.reads, after, PORTION);
      const misplaced = await misplacedTerms(this.reads, ids);
      const wrong = misplaced.filter(({ place }) => place !== null).map(({ id }) => id);
      if (wrong.length > 0) {
        for (const taxonomy of await this.taxonomies.all()) mended += await this.mend(taxonomy, wrong);
      }
      if (ids.length < PORTION) break;
      after = ids.at(-1) ?? after;
    }
    if (mended > 0) this.taxonomies.refresh();
    return mended;
  }

  /** Looks once more, at the terms of one taxonomy, when its tree is held. */
  private mend({ id: taxonomyId }: Taxonomy, ids: readonly number[]): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const taxonomy = await this.taxonomies.lock(manager, taxonomyId);
      if (!taxonomy) return 0;
      const own = await this.store.idsIn(manager, taxonomy, ids);
      let mended = 0;
      for (const { id, place } of await misplacedTerms(readerOf(manager), own)) {
        if (!place) continue;
        await manager.update(Term, { id }, place);
        mended += 1;
      }
      if (mended > 0) await this.store.touch(manager, taxonomy);
      return mended;
    });
  }
}
