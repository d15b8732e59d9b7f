import { useQueryClient } from '@tanstack/react-query';
import { showUndo } from '../common/undo.js';
import { tellDone, tellFailure } from '../common/telling.js';
import { words } from '../words.js';
import { changeTerm, createTerm, deleteTerm, mergeTerm, type TaxonomyTerm, type TermValues } from './term-queries.js';

const t = words.taxonomy.done;

/** Parts of a term. */
const ALL = ['name', 'slug', 'description', 'parent_id', 'position'];

/** Actions on the terms of a taxonomy. Each throws if the service refuses it, says what it did, and offers an Undo if possible. */
export interface TermWork {
  readonly create: (values: TermValues) => Promise<void>;
  readonly rename: (term: TaxonomyTerm, values: TermValues) => Promise<void>;
  /** @param parent absent: to the top */
  readonly move: (term: TaxonomyTerm, parent: TaxonomyTerm | undefined) => Promise<void>;
  readonly merge: (term: TaxonomyTerm, into: Pick<TaxonomyTerm, 'id' | 'name'>) => Promise<void>;
  /** Deletes what nothing holds. */
  readonly remove: (term: TaxonomyTerm) => Promise<void>;
  /** Deletes a term, which its records lose. */
  readonly removeHeld: (term: TaxonomyTerm) => Promise<void>;
}

export function useTermWork(taxonomy: string): TermWork {
  const queries = useQueryClient();

  /** Runs an action, and shows what others did in the meantime, also when it failed. */
  async function written<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      for (const queryKey of [['taxonomy', taxonomy], ['terms', taxonomy], ['term', taxonomy], ['list']]) {
        await queries.invalidateQueries({ queryKey });
      }
    }
  }

  function offerUndo(sentence: string, undo: () => Promise<unknown>): void {
    showUndo(sentence, () => {
      written(undo).then(() => tellDone({ message: t.undone }), tellFailure);
    });
  }

  async function change(term: TaxonomyTerm, values: TermValues, sentence: string): Promise<void> {
    const changed = await written(() => changeTerm(taxonomy, term, values));
    offerUndo(sentence, () => changeTerm(taxonomy, changed, only(term, Object.keys(values))));
  }

  async function final(work: () => Promise<unknown>, sentence: string): Promise<void> {
    await written(work);
    tellDone({ message: sentence });
  }

  return {
    create: async (values) => {
      const made = await written(() => createTerm(taxonomy, values));
      offerUndo(t.created(made.name), () => deleteTerm(taxonomy, made.id, false));
    },
    rename: (term, values) => change(term, values, t.changed(values.name ?? term.name)),
    move: (term, parent) => change(term, { parent_id: parent?.id ?? null }, t.moved(term.name, parent?.name)),
    merge: ({ id, name }, into) => final(() => mergeTerm(taxonomy, id, into.id), t.merged(name, into.name)),
    remove: async (term) => {
      await written(() => deleteTerm(taxonomy, term.id, false));
      offerUndo(t.removed(term.name), () => createTerm(taxonomy, only(term, ALL)));
    },
    removeHeld: ({ id, name }) => final(() => deleteTerm(taxonomy, id, true), t.removed(name)),
  };
}

/** Some of the values of a term. */
function only(term: TaxonomyTerm, names: readonly string[]): TermValues {
  return Object.fromEntries(Object.entries(term).filter(([name]) => names.includes(name)));
}
