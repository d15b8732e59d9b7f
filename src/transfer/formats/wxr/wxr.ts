import { basename } from 'node:path';
import { UnreadableFileError } from '../file-text.js';
import type { ImportEntry, ImportTerm, Leftover, TermName } from '../import-entry.js';
import { slugFrom } from '../slug-text.js';
import { isTerm, itemEntries, parentsFirst, termOf } from './wxr-entries.js';
import { plainTextOf, textOf, xmlUnits, type Element } from './xml-units.js';

const CONTENT = new Set(['wp:author', 'item']);
const OF_THE_SITE = new Set(['title', 'link', 'description', 'language', 'image']);

const FORBIDDEN = 'XML forbids these control characters, so U+FFFD stands in their place.';
const NOTHING =
  'has no item, term or author of WordPress (wp:…), so there is nothing to take. Make an export under Tools, Export, and choose All content.';

/** Reads an export of WordPress (WXR): posts, pages, categories, tags and authors. The rest is counted. */
export async function* readWxr(path: string): AsyncGenerator<ImportEntry> {
  const reader = new WxrReader(basename(path));
  try {
    const elements = xmlUnits(path, (line) => {
      reader.replaced(line);
    });
    for await (const element of elements) yield* reader.entriesOf(element);
    yield* reader.waiting();
    reader.requireContent();
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield* reader.waiting();
    yield { kind: 'unreadable', file: basename(path), line: error.line, message: `The file ${error.message}` };
  }
}

class WxrReader {
  private readonly authors = new Map<string, TermName>();
  private readonly replacements: Leftover[] = [];
  private terms: ImportTerm[] = [];
  private isOfWordPress = false;
  private hasContent = false;

  constructor(private readonly file: string) {}

  /** @throws {UnreadableFileError} for a feed: it has items too, but not what makes posts of them */
  *entriesOf(element: Element): Generator<ImportEntry> {
    this.lookAt(element);
    if (element.name === 'wp:author') yield* this.author(element);
    else if (isTerm(element)) yield* this.term(element);
    else if (element.name === 'item') {
      yield* this.waiting();
      yield* itemEntries(element, this.file, this.authors);
    } else if (OF_THE_SITE.has(element.name)) {
      yield this.leftover(element, 'settings of the site', 'The title and the address of the old site are not taken.');
    }
  }

  /** @throws {UnreadableFileError} when there was nothing to take */
  requireContent(): void {
    if (!this.hasContent) throw new UnreadableFileError(NOTHING);
  }

  /** Terms are held back until the first item, since a child may stand before its parent. */
  *waiting(): Generator<ImportEntry> {
    const { terms } = this;
    this.terms = [];
    yield* parentsFirst(terms);
    yield* this.replacements.splice(0);
  }

  /** Notes a character that XML forbids. */
  replaced(line: number): void {
    this.replacements.push(this.leftover({ line }, 'forbidden characters', FORBIDDEN));
  }

  private lookAt(element: Element): void {
    this.isOfWordPress ||= isOfWordPress(element);
    if (element.name === 'item' && !this.isOfWordPress) throw new UnreadableFileError(NOTHING, element.line);
    this.hasContent ||= CONTENT.has(element.name) || isTerm(element);
  }

  private *author(element: Element): Generator<ImportEntry> {
    const login = textOf(element, 'wp:author_login');
    const name = plainTextOf(element, 'wp:author_display_name') || login;
    const slug = slugFrom(login);
    this.authors.set(login, { name, slug });
    const { file } = this;
    const place = { file, line: element.line };
    if (slug !== null) {
      yield { kind: 'term', ...place, taxonomy: 'author', slug, name, description: '', parent: null };
    }
    if (textOf(element, 'wp:author_email') !== '') {
      yield this.leftover(element, 'e-mail addresses of authors', 'Authors become terms, which everybody can read.');
    }
  }

  private *term(element: Element): Generator<ImportEntry> {
    const entry = termOf(element, this.file);
    if (entry.kind === 'term') this.terms.push(entry);
    else yield entry;
    for (const meta of element.children.filter(({ name }) => name === 'wp:termmeta')) {
      yield this.leftover(meta, 'settings of terms', 'They have no meaning outside of WordPress.');
    }
  }

  private leftover({ line }: Pick<Element, 'line'>, what: string, reason: string): Leftover {
    return { kind: 'leftover', what, reason, file: this.file, line };
  }
}

function isOfWordPress({ name, children }: Element): boolean {
  return name.startsWith('wp:') || children.some((child) => child.name.startsWith('wp:'));
}
