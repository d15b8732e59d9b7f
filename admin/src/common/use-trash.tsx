import { useQueryClient } from '@tanstack/react-query';
import { client } from '../service.js';
import { words } from '../words.js';
import { tellDone, tellFailure } from './telling.js';
import { showUndo } from './undo.js';

/** Moves records to the trash, and says so by a sentence. @returns whether all of them are there */
type Trash = (ids: readonly number[], sentence: string) => Promise<boolean>;

/** Moves records of a type to the trash, one by one, and offers to take them back. */
export function useTrash(type: string): Trash {
  const queries = useQueryClient();

  /** Does it with one after the other, says how that went, and only then what failed. */
  async function each(
    ids: readonly number[],
    work: (path: string) => Promise<unknown>,
    say: (done: readonly number[]) => void,
  ): Promise<boolean> {
    const done: number[] = [];
    let failure: unknown;
    try {
      for (const id of ids) {
        await work(`/api/cms/${type}/${id}`);
        done.push(id);
      }
    } catch (error) {
      failure = error;
    }
    await queries.invalidateQueries({ queryKey: ['list'] });
    await queries.invalidateQueries({ queryKey: ['types'] });
    if (done.length > 0) say(done);
    if (failure !== undefined) tellFailure(failure);
    return done.length === ids.length;
  }

  const restore = (ids: readonly number[]) =>
    each(
      ids,
      (path) => client.request('POST', `${path}/restore`),
      () => tellDone({ message: words.editor.restored }),
    );

  return (ids, sentence) =>
    each(
      ids,
      (path) => client.request('DELETE', path),
      (gone) => showUndo(sentence, () => void restore(gone)),
    );
}
