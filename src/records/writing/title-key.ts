import { fold, head } from '../../common/text/fold.js';
import type { RecordState } from './record-state.js';

const TITLE_KEY_LENGTH = 64;

/** The folded head of a title, by which lists are sorted. */
export function titleKey({ title }: Pick<RecordState, 'title'>): string {
  return head(fold(title), TITLE_KEY_LENGTH);
}
