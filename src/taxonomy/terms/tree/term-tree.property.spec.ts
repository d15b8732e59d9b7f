import fc from 'fast-check';
import { openTaxonomy, type OpenTaxonomy } from '../../../../test/support/taxonomy.js';
import { AuditedUnits } from '../../../audit/audited-units.js';
import type { Audit } from '../../../audit/audit.js';
import { SERVICE } from '../../../common/access/caller.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { PendingRemovals } from '../../removal/pending-removals.js';
import { TermRemovalService } from '../../removal/term-removal.service.js';
import type { Taxonomy } from '../../taxonomies/taxonomy.js';
import { TaxonomyReferrersHost } from '../../taxonomies/taxonomy-referrers.port.js';
import { TaxonomyManagementService } from '../../taxonomy-management.service.js';
import { Term, TermRedirect } from '../../taxonomies/taxonomy.entity.js';
import { nameKey } from '../term-keys.js';
import { TermListeners } from '../term-listeners.js';
import { TermManagementService } from '../term-management.service.js';
import type { StoredTerm } from '../term-row.js';
import { TermStore } from '../term-store.js';
import { TermUsageHost } from '../term-usage.port.js';

const CALLER = { kind: 'token', id: null, name: 'test', scopes: new Set(['*']) } as const;
const NAMES = ['a', 'B', 'č', 'a b', 'ab', '日本', '!', 'zz', 'x'.repeat(60)];

/** One change of a tree; terms are named by where they stand in the list. */
const STEP = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    name: fc.constantFrom(...NAMES),
    at: fc.nat(30),
    position: fc.nat(2),
  }),
  fc.record({ do: fc.constant('move' as const), name: fc.constantFrom(...NAMES), at: fc.nat(30), to: fc.nat(30) }),
  fc.record({ do: fc.constant('delete' as const), at: fc.nat(30) }),
  fc.record({ do: fc.constant('merge' as const), at: fc.nat(30), to: fc.nat(30) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

describe('A tree of terms', () => {
  let open: OpenTaxonomy;
  let taxonomies: TaxonomyManagementService;
  let management: TermManagementService;
  let removal: TermRemovalService;
  let trees = 0;

  beforeAll(async () => {
    open = await openTaxonomy();
    const { unitOfWork, dialect, clock, terms } = open;
    const host = new TermUsageHost();
    const store = new TermStore(dialect, clock, host, new TermListeners());
    host.use({
      counts: () => Promise.resolve(new Map()),
      visibleTerms: () => Promise.resolve(null),
      isUsed: () => Promise.resolve(false),
      latestWrite: () => Promise.resolve(0),
      replace: () => Promise.resolve(),
    });
    const pending = new PendingRemovals(unitOfWork, open.reads.of(TermRedirect), host);
    taxonomies = new TaxonomyManagementService(
      // No taxonomy is deleted here, so there is no event.
      new AuditedUnits(new Reauthorization(unitOfWork), {} as Audit),
      open.taxonomies,
      store,
      new TaxonomyReferrersHost(),
      clock,
    );
    management = new TermManagementService(unitOfWork, open.taxonomies, store);
    removal = new TermRemovalService(unitOfWork, store, terms, open.taxonomies, pending);
  });

  afterAll(() => open.close());

  const termsOf = ({ name }: Taxonomy): Promise<StoredTerm[]> => {
    return open.reads.of(Term).find({ where: { taxonomy: name }, order: { sortKey: 'ASC' } });
  };

  /** The id of a term; some numbers stand for none. */
  const pick = (terms: readonly StoredTerm[], at: number): number | null => terms[at % (terms.length + 1)]?.id ?? null;

  async function run(taxonomy: Taxonomy, step: Step, slug: string): Promise<void> {
    const terms = await termsOf(taxonomy);
    const id = pick(terms, step.at);
    if (step.do === 'create') {
      await management.create({ type: taxonomy.name, slug, name: step.name, parent_id: id, position: step.position });
    } else if (id === null) return;
    else if (step.do === 'delete') await removal.remove(taxonomy, String(id), { isForced: false, caller: CALLER });
    else if (step.do === 'move') {
      await management.update(taxonomy, String(id), { name: step.name, parent_id: pick(terms, step.to) });
    } else await removal.merge(taxonomy, String(id), { into: pick(terms, step.to) ?? 0 }, CALLER);
  }

  /** The expected list, made anew from nothing but parents, positions and names. */
  function expected(terms: readonly StoredTerm[], parent: StoredTerm | null = null, path = '', depth = 1): unknown[] {
    const order = (a: StoredTerm, b: StoredTerm): number =>
      a.position - b.position || compare(orderName(a), orderName(b)) || compare(String(a.id), String(b.id));
    return terms
      .filter(({ parentId }) => parentId === (parent?.id ?? null))
      .toSorted(order)
      .flatMap((term) => {
        const own = `${path}${term.slug}`;
        return [[term.id, own, depth], ...expected(terms, term, `${own}/`, depth + 1)];
      });
  }

  it('has no circle, and the right order, paths and levels, whatever is done to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async (steps) => {
        const taxonomy = await taxonomies.create({ name: `tree-${++trees}`, hierarchical: true }, SERVICE);
        for (const [at, step] of steps.entries()) {
          await run(taxonomy, step, `s${at}`).catch((error: unknown) => {
            expect(error).toMatchObject({ error: 'validation_failed' });
          });
        }
        const terms = await termsOf(taxonomy);
        expect(terms.map(({ id, path, depth }) => [id, path, depth])).toEqual(expected(terms));
        expect(Math.max(0, ...terms.map(({ depth }) => depth))).toBeLessThanOrEqual(10);
      }),
      { numRuns: 25 },
    );
  });

  it('stays whole when many change it together', async () => {
    const taxonomy = await taxonomies.create({ name: 'busy', hierarchical: true }, SERVICE);
    for (let at = 0; at < 8; at += 1) await management.create({ type: 'busy', name: `t${at}` });
    const steps = fc.sample(STEP, { numRuns: 60, seed: 7 });

    await Promise.all(
      steps.map((step, at) =>
        run(taxonomy, step, `b${at}`).catch((error: unknown) => {
          expect(['validation_failed', 'term_not_found']).toContain((error as { error?: string }).error);
        }),
      ),
    );

    const terms = await termsOf(taxonomy);
    expect(terms.map(({ id, path, depth }) => [id, path, depth])).toEqual(expected(terms));
  });
});

function orderName({ name }: StoredTerm): string {
  return Array.from(nameKey(name)).slice(0, 48).join('');
}

/** By code point, as databases do. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
