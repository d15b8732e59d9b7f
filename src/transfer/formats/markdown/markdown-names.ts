import { basename, dirname, extname } from 'node:path/posix';
import { momentOf } from '../../../common/text/moments.js';
import { slugFrom } from '../slug-text.js';

const DATED = /^(\d{4}-\d{1,2}-\d{1,2})-(.+)$/;
const INDEX = new Set(['index', '_index', 'readme']);

/** What the name of a file says about what is in it. */
export interface NamedFile {
  readonly slug: string | null;
  /** `null`: the name has no date. */
  readonly date: number | null;
  /** In words, for a text that has no other title. */
  readonly title: string;
  /** Whether its folder keeps what is not published yet. */
  readonly isDraft: boolean;
}

/** `2014/2014-03-12-some-title.md` -> the slug `some-title` of 12 March 2014. `about/index.md` -> the slug `about`. */
export function namedFile(name: string): NamedFile {
  const stem = basename(name, extname(name));
  const folder = basename(dirname(name));
  const own = INDEX.has(stem.toLowerCase()) && folder !== '.' ? folder : stem;
  const [, date, rest] = DATED.exec(own) ?? [];
  const at = date === undefined ? null : momentOf(date);
  const words = at === null ? own : (rest ?? own);
  return {
    slug: slugFrom(words),
    date: at,
    title: words.replace(/[-_]+/g, ' ').trim() || own,
    isDraft: dirname(name).split('/').includes('_drafts'),
  };
}
