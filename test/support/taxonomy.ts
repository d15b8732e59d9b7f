import { Clock } from '../../src/common/clock.js';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import type { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Writer } from '../../src/database/statements/writer.js';
import { TaxonomiesService } from '../../src/taxonomy/taxonomies/taxonomies.service.js';
import { TermAssignment, NewTags } from '../../src/taxonomy/assignment/term-assignment.js';
import { TermsService } from '../../src/taxonomy/terms/terms.service.js';
import { createMigratedDatabase } from './migrated-database.js';

/** The parts of the taxonomy on a database of their own. */
export interface OpenTaxonomy {
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly taxonomies: TaxonomiesService;
  readonly terms: TermsService;
  readonly assignment: TermAssignment;
  close(): Promise<void>;
}

export async function openTaxonomy(): Promise<OpenTaxonomy> {
  const database = await createMigratedDatabase();
  const dialect = dialectFor(database.address);
  const writer = await Writer.open(dialect);
  const reader = await openDataSource(dialect.readerOptions());
  const [reads, clock] = [new Reads(reader), new Clock()];
  const taxonomies = new TaxonomiesService(reads, dialect);
  const terms = new TermsService(reads, taxonomies);
  return {
    reads,
    dialect,
    clock,
    taxonomies,
    terms,
    unitOfWork: new UnitOfWork(writer),
    assignment: new TermAssignment(taxonomies, terms, new NewTags(dialect, clock), reads, dialect),
    close: async () => {
      await reader.destroy();
      await writer.onApplicationShutdown();
      await database.drop();
    },
  };
}
