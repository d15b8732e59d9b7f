import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { extname, basename, dirname } from 'node:path/posix';
import { UnreadableFileError, wholeText } from '../file-text.js';
import { momentsOf, type ImportEntry, type ImportItem, type Leftover, type Unreadable } from '../import-entry.js';
import { Settings } from '../settings.js';
import { slugFrom } from '../slug-text.js';
import { momentOf } from '../../../common/text/moments.js';
import { frontMatter, type FrontMatter } from './front-matter.js';

const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.mkd']);
/** A body can have a million characters of up to four bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const HEADING = /^#[ \t]+(\S.*)$/m;
const CLOSING_MARKS = /[ \t]#+$/;

/** Settings that speak to the program that made the old site. */
const OF_THE_OLD_SITE = new Map([['layout', 'Layouts choose a template of the old site.']]);

/** Reads Markdown files with front matter, one item each: those of a folder and the folders in it, or a single one. */
export async function* readMarkdown(path: string): AsyncGenerator<ImportEntry> {
  for await (const found of filesIn(path)) {
    if (found.kind !== 'file') yield found;
    else if (MARKDOWN.has(extname(found.name).toLowerCase())) yield* entriesOf(found);
    else yield notMarkdown(found);
  }
}

/** A file to read, by its path and as the report names it. */
interface FoundFile {
  readonly kind: 'file';
  readonly path: string;
  /** Below the folder, with `/` on every system: `2024/hello.md`. */
  readonly name: string;
}

/** The files of a folder and of the folders in it, in one order everywhere; a single file is itself. */
async function* filesIn(path: string): AsyncGenerator<FoundFile | Leftover | Unreadable> {
  if ((await stat(path)).isDirectory()) yield* walk(path, '');
  else yield { kind: 'file', path, name: parse(path).base };
}

async function* walk(folder: string, below: string): AsyncGenerator<FoundFile | Leftover | Unreadable> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    yield { kind: 'unreadable', file: below, line: 0, message: 'The folder cannot be opened.' };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    const path = join(folder, entry.name);
    const passed = passedOver(entry, name);
    if (passed) yield passed;
    else if (entry.isDirectory()) yield* walk(path, name);
    else yield { kind: 'file', path, name };
  }
}

/** Links may lead out of the folder or around in a circle; hidden files belong to tools. */
function passedOver(entry: Dirent, file: string): Leftover | null {
  const leftover = (what: string, reason: string): Leftover => ({ kind: 'leftover', what, reason, file, line: 0 });
  if (entry.name.startsWith('.')) return leftover('hidden files', 'Hidden files and folders are passed over.');
  if (entry.isSymbolicLink()) return leftover('symbolic links', 'Links are not followed: they may lead anywhere.');
  if (entry.isDirectory() || entry.isFile()) return null;
  return leftover('special files', 'Only files and folders are read.');
}

function notMarkdown({ name }: FoundFile): Leftover {
  const ending = extname(name).toLowerCase();
  const what = ending === '' ? 'files without an ending' : `${ending} files`;
  return { kind: 'leftover', what, reason: 'Only Markdown files (.md, .markdown) are read.', file: name, line: 0 };
}

async function* entriesOf(found: FoundFile): AsyncGenerator<ImportEntry> {
  const place = { file: found.name, line: 0 };
  try {
    const { size } = await stat(found.path);
    if (size > MAX_BYTES) throw new UnreadableFileError('has more than 8 MiB, which no body can hold.');
    const text = await wholeText(found.path);
    if (text.trim() === '') throw new UnreadableFileError('is empty.');
    yield* parsed(found.name, frontMatter(text));
  } catch (error) {
    if (!(error instanceof UnreadableFileError) && (error as { code?: unknown }).code === undefined) throw error;
    const [line, message] =
      error instanceof UnreadableFileError
        ? [error.line, `The file ${error.message}`]
        : [0, 'The file cannot be opened.'];
    yield { kind: 'unreadable', ...place, line, message };
  }
}

function* parsed(file: string, { values, body, faults }: FrontMatter): Generator<ImportEntry> {
  const settings = new Settings(file, values ?? {});
  for (const { line, message } of faults) settings.problem(line, message);
  for (const [name, reason] of OF_THE_OLD_SITE) {
    const given = settings.take(name);
    if (given) yield { kind: 'leftover', what: `settings "${name}"`, reason, file, line: given.line };
  }
  yield item(settings, { file, body, named: namedFile(file), hasSettings: values !== null });
}

interface Source {
  readonly file: string;
  readonly body: string;
  readonly named: NamedFile;
  readonly hasSettings: boolean;
}

function item(settings: Settings, source: Source): ImportItem {
  const { file, body, named } = source;
  excerpt(settings);
  const terms = {
    category: settings.names('categories', 'category'),
    tag: settings.names('tags', 'tag'),
    author: settings.names('authors', 'author'),
  };
  return {
    kind: 'item',
    key: file,
    file,
    line: 1,
    type: null,
    title: title(settings, source),
    slug: slug(settings, named),
    ...moments(settings, named),
    status: status(settings, source),
    locale: settings.text('locale', 'lang', 'language')?.value ?? null,
    body: body === '' ? null : body,
    values: settings.rest,
    terms: Object.fromEntries(Object.entries(terms).filter(([, names]) => names.length > 0)),
    problems: settings.problems,
    notes: settings.notes,
  };
}

function moments(settings: Settings, { date }: NamedFile): ReturnType<typeof momentsOf> {
  const published = settings.moment('date', 'published_at', 'publishDate', 'pubDate', 'pubdate');
  const created = settings.moment('created_at');
  return momentsOf(created, published ?? (created === null ? date : null));
}

function title(settings: Settings, { body, named }: Source): string {
  const given = settings.text('title');
  if (given !== null) return given.value;
  const heading = HEADING.exec(body)?.[1]?.trimEnd().replace(CLOSING_MARKS, '').trimEnd();
  const whence = heading === undefined ? 'the name of the file' : 'its first heading';
  settings.note(1, `There is no title, so it is made from ${whence}.`);
  return heading ?? named.title;
}

function slug(settings: Settings, named: NamedFile): string | null {
  const given = settings.text('slug');
  if (given === null) return named.slug;
  const made = slugFrom(given.value);
  if (made !== given.value)
    settings.note(given.line, `The slug "${given.value}" becomes "${made ?? 'one made from the title'}".`);
  return made;
}

/** A text without settings was no page of its old site, and one that was hidden there stays hidden. */
function status(settings: Settings, { named, hasSettings }: Source): string | null {
  const given = settings.text('status');
  const hidden = ['draft', 'private', 'hidden', 'password'].filter((name) => isSet(settings, name));
  const isWithdrawn = settings.isFalse('published') || named.isDraft;
  if (hidden.length > 0 || isWithdrawn) return 'draft';
  if (given !== null) return given.value;
  if (hasSettings) return 'published';
  settings.note(1, 'There is no front matter, so it becomes a draft.');
  return 'draft';
}

function isSet(settings: Settings, name: string): boolean {
  if (name !== 'password') return settings.isTrue(name);
  const given = settings.take(name);
  if (given) settings.note(given.line, 'It is protected by a password, so it becomes a draft.');
  return given !== null;
}

/** One text under three names; a second one that says something else stays what it is. */
function excerpt(settings: Settings): void {
  const all = ['excerpt', 'summary', 'description'].map((name) => [name, settings.take(name)] as const);
  const given = all.filter(([, one]) => one !== null);
  const [first] = given;
  if (!first?.[1]) return;
  for (const [name, one] of given) {
    if (one !== null && one.value !== first[1].value) settings.put(name, one);
  }
  settings.put('excerpt', first[1]);
}

const DATED = /^(\d{4}-\d{1,2}-\d{1,2})-(.+)$/;
const INDEX = new Set(['index', '_index', 'readme']);

/** Statements of the name of a file about its contents. */
interface NamedFile {
  readonly slug: string | null;
  /** `null`: the name has no date. */
  readonly date: number | null;
  /** In words, for a text that has no other title. */
  readonly title: string;
  /** True if its folder keeps what is not published yet. */
  readonly isDraft: boolean;
}

/** `2014/2014-03-12-some-title.md` -> the slug `some-title` of 12 March 2014. `about/index.md` -> the slug `about`. */
function namedFile(name: string): NamedFile {
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
