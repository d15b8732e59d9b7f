import { showNotification } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../service.js';
import { words } from '../words.js';
import { sentenceOf } from './failure.js';
import { showUndo } from './undo.js';

/** Says that something failed, and what to do. */
export function tellFailure(error: unknown): void {
  showNotification({ color: 'red', title: words.editor.failed, message: sentenceOf(error), autoClose: false });
}

/** Moves records to the trash, and says so by a sentence. @returns whether all of them are there */
type Trash = (ids: readonly number[], sentence: string) => Promise<boolean>;

/** Moves records of a type to the trash, one by one, and offers to take them back. */
export function useTrash(type: string): Trash {
  const queries = useQueryClient();

  /** @returns those with which it worked */
  async function each(ids: readonly number[], work: (path: string) => Promise<unknown>): Promise<number[]> {
    const done: number[] = [];
    try {
      for (const id of ids) {
        await work(`/api/cms/${type}/${id}`);
        done.push(id);
      }
    } catch (error) {
      tellFailure(error);
    }
    await queries.invalidateQueries({ queryKey: ['list'] });
    await queries.invalidateQueries({ queryKey: ['types'] });
    return done;
  }

  async function restore(ids: readonly number[]): Promise<void> {
    const back = await each(ids, (path) => client.request('POST', `${path}/restore`));
    if (back.length > 0) showNotification({ message: words.editor.restored });
  }

  return async (ids, sentence) => {
    const gone = await each(ids, (path) => client.request('DELETE', path));
    if (gone.length > 0) showUndo(sentence, () => void restore(gone));
    return gone.length === ids.length;
  };
}
