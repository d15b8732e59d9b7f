import { slugKey, termSlug } from '../../../taxonomy/terms/term-slug.js';
import {
  momentsOf,
  type SourceValue,
  type ImportItem,
  type ImportTerm,
  type Leftover,
  type Remark,
  type TermName,
} from '../import-entry.js';
import { momentOf } from '../../../common/text/moments.js';
import { decoded, slugFrom } from '../slug-text.js';
import { plainTextOf, textOf, withoutEntities, type Element } from './xml-units.js';

type Passed = readonly [what: string, reason: string];

/** Kinds of items that are no content of their own. */
const NO_CONTENT: ReadonlyMap<string, Passed> = mapOf({
  attachment: ['attachments', 'Media files are not kept yet; addresses in texts stay as they are.'],
  nav_menu_item: ['menu entries', 'Menus belong to the old site.'],
  revision: ['revisions', 'Only the present state of a post is taken.'],
  custom_css: ['style sheets', 'They belong to the theme of the old site.'],
  customize_changeset: ['settings of a theme', 'They belong to the theme of the old site.'],
  oembed_cache: ['cached embeds', 'A cache is made again when it is needed.'],
  wp_global_styles: ['style sheets', 'They belong to the theme of the old site.'],
  wp_navigation: ['menus', 'Menus belong to the old site.'],
  wp_template: ['templates', 'They belong to the theme of the old site.'],
  wp_template_part: ['templates', 'They belong to the theme of the old site.'],
});

/** The status that each becomes; if a sentence stands beside it, the report has it. */
const STATUSES: ReadonlyMap<string, readonly [status: string, note: string | null]> = mapOf({
  publish: ['published', null],
  draft: ['draft', null],
  'auto-draft': ['draft', null],
  pending: ['draft', 'It waits for review, so it becomes a draft.'],
  private: ['draft', 'It is private, so it becomes a draft.'],
  future: ['draft', 'It is to be published in the future, so it becomes a draft.'],
});

const PROTECTED = 'It is protected by a password, so it becomes a draft. The password is not kept.';
const NO_TITLE = '(no title)';
const TRASHED: Passed = ['items of the trash', 'Deleted things stay deleted.'];
const INTERNAL: Passed = ['internal settings of WordPress (_…)', 'They have no meaning outside of WordPress.'];
const OF_PAGES = [
  ['wp:post_parent', 'parents of pages', 'Pages have no tree here, and their addresses are flat.'],
  ['wp:menu_order', 'orders of pages', 'Pages have no order of their own.'],
] as const;

/** Entries of one item of the file. */
export function* itemEntries(
  element: Element,
  file: string,
  authors: ReadonlyMap<string, TermName>,
): Generator<ImportItem | Leftover> {
  const type = textOf(element, 'wp:post_type') || 'post';
  const status = textOf(element, 'wp:status');
  yield* surroundings(element, file);
  const passed = NO_CONTENT.get(type) ?? (status === 'trash' ? TRASHED : null);
  if (passed) yield leftover(file, element.line, ...passed);
  else yield new PostReader(element, file, authors).item(type, status);
}

/** Parts of an item that have no place here. */
function* surroundings(element: Element, file: string): Generator<Leftover> {
  for (const child of element.children) {
    const found = leftoverOf(child);
    if (found) yield leftover(file, child.line, ...found);
  }
  if (textOf(element, 'wp:post_type') !== 'page') return;
  for (const [name, what, reason] of OF_PAGES) {
    if (Number(textOf(element, name)) > 0) yield leftover(file, element.line, what, reason);
  }
}

function leftoverOf(child: Element): Passed | null {
  if (child.name === 'wp:comment') return ['comments', 'Comments are not kept.'];
  if (child.name === 'wp:postmeta' && isInternal(textOf(child, 'wp:meta_key'))) return INTERNAL;
  if (child.name !== 'category') return null;
  const domain = child.attributes.domain ?? '';
  const reason = LOOKS.get(domain);
  return reason === undefined ? null : [`terms of ${domain} on items`, reason];
}

function isInternal(key: string): boolean {
  return key.startsWith('_') || key === '';
}

function leftover(file: string, line: number, what: string, reason: string): Leftover {
  return { kind: 'leftover', what, reason, file, line };
}

/** Reads one post, page or item of another type. */
class PostReader {
  private readonly notes: Remark[] = [];

  constructor(
    private readonly element: Element,
    private readonly file: string,
    private readonly authors: ReadonlyMap<string, TermName>,
  ) {}

  item(type: string, status: string): ImportItem {
    const { element, file } = this;
    const body = this.text('content:encoded');
    const slug = this.slug();
    return {
      kind: 'item',
      file,
      line: element.line,
      key: this.text('wp:post_id') || this.text('guid'),
      type,
      title: this.title(slug),
      slug,
      status: this.status(status),
      locale: null,
      ...momentsOf(this.createdAt(), null),
      body: body === '' ? null : body,
      values: this.values(),
      terms: this.terms(),
      problems: [],
      notes: this.notes,
    };
  }

  private title(slug: string | null): string {
    const title = plainTextOf(this.element, 'title').replace(/\s+/g, ' ');
    if (title !== '') return title;
    this.note(`There is no title, so it is made from the ${slug === null ? 'word for none' : 'slug'}.`);
    return slug === null ? NO_TITLE : slug.replace(/[-_]+/g, ' ');
  }

  private slug(): string | null {
    const given = decoded(this.text('wp:post_name'));
    if (given === '') return null;
    const made = slugFrom(given);
    if (made !== given) this.note(`The slug "${given}" becomes "${made ?? 'one made from the title'}".`);
    return made;
  }

  private status(given: string): string {
    const [status, note] = STATUSES.get(given) ?? [
      'draft',
      `The status "${given}" is not known here, so it becomes a draft.`,
    ];
    if (note !== null) this.note(note);
    if (this.text('wp:post_password') === '') return status;
    this.note(PROTECTED);
    return 'draft';
  }

  /** Drafts have no time in UTC, and then the one of the site is all there is. */
  private createdAt(): number | null {
    const utc = momentOf(this.text('wp:post_date_gmt'));
    if (utc !== null) return utc;
    const published = Date.parse(this.text('pubDate'));
    if (published > 0) return published;
    return momentOf(this.text('wp:post_date'));
  }

  private values(): Record<string, SourceValue> {
    const { line, children } = this.element;
    const values = new Map<string, SourceValue>();
    for (const meta of children.filter(({ name }) => name === 'wp:postmeta')) {
      const key = textOf(meta, 'wp:meta_key');
      if (isInternal(key)) continue;
      const value = textOf(meta, 'wp:meta_value');
      const earlier = values.get(key);
      values.set(key, { line: meta.line, value: earlier ? [earlier.value, value].flat() : value });
    }
    const excerpt = plainTextOf(this.element, 'excerpt:encoded');
    if (excerpt !== '') values.set('excerpt', { value: excerpt, line });
    if (this.text('wp:is_sticky') === '1') values.set('sticky', { value: true, line });
    return Object.fromEntries(values);
  }

  private terms(): Record<string, TermName[]> {
    const terms = new Map<string, TermName[]>();
    for (const category of this.element.children.filter(({ name }) => name === 'category')) {
      const domain = category.attributes.domain ?? 'category';
      if (LOOKS.has(domain)) continue;
      const taxonomy = taxonomyOf(domain);
      terms.set(taxonomy, [...(terms.get(taxonomy) ?? []), termName(category)]);
    }
    const login = this.text('dc:creator');
    if (login !== '') terms.set('author', [this.authors.get(login) ?? { name: login, slug: null }]);
    return Object.fromEntries(terms);
  }

  private text(name: string): string {
    return textOf(this.element, name);
  }

  private note(message: string): void {
    this.notes.push({ file: this.file, line: this.element.line, message });
  }
}

function termName({ attributes, text }: Element): TermName {
  const given = decoded(attributes.nicename ?? '');
  return { name: withoutEntities(text.trim()) || given, slug: given === '' ? null : slugFrom(given) };
}

/** Names of taxonomies here, by those of WordPress. */
const TAXONOMIES = mapOf({ post_tag: 'tag' });

/** Terms of these say how the old site looked. */
const LOOKS = mapOf({
  nav_menu: 'Menus belong to the old site.',
  post_format: 'Post formats choose a template of the old site.',
  wp_theme: 'Themes belong to the old site.',
  wp_template_part_area: 'Templates belong to the old site.',
  link_category: 'Links of the blogroll are not kept.',
});

function taxonomyOf(name: string): string {
  return TAXONOMIES.get(name) ?? name;
}

/** Elements that are terms, with their taxonomy where it is always the same, and where slug and name stand. */
const TERMS = mapOf({
  'wp:category': { taxonomy: 'category', slug: 'wp:category_nicename', name: 'wp:cat_name' },
  'wp:tag': { taxonomy: 'tag', slug: 'wp:tag_slug', name: 'wp:tag_name' },
  'wp:term': { taxonomy: null, slug: 'wp:term_slug', name: 'wp:term_name' },
});

/** Tells whether an element is a term. */
export function isTerm({ name }: Element): boolean {
  return TERMS.has(name);
}

/** A category, a tag or a term of another taxonomy, as it stands before the items. */
export function termOf(element: Element, file: string): ImportTerm | Leftover {
  const { line } = element;
  const parts = TERMS.get(element.name) ?? { taxonomy: null, slug: '', name: '' };
  const kind = parts.taxonomy ?? textOf(element, 'wp:term_taxonomy');
  const reason = LOOKS.get(kind);
  if (reason !== undefined) return leftover(file, line, `terms of ${kind}`, reason);
  const slug = decoded(textOf(element, parts.slug));
  const name = plainTextOf(element, parts.name) || slug;
  const parent = textOf(element, `${element.name}_parent`);
  return {
    kind: 'term',
    file,
    line,
    taxonomy: taxonomyOf(kind),
    name,
    slug: slugFrom(slug) ?? termSlug(name),
    description: plainTextOf(element, `${element.name}_description`),
    parent: parent === '' ? null : (slugFrom(parent) ?? decoded(parent)),
  };
}

/** Parents before their children; what goes round in a circle keeps its order and is for the tree to refuse. */
export function parentsFirst(terms: readonly ImportTerm[]): ImportTerm[] {
  const waiting = new Map(terms.map((one) => [slugKey(one.taxonomy, one.slug), one]));
  const take = (taxonomy: string, slug: string | null): ImportTerm | undefined => {
    const key = slugKey(taxonomy, slug ?? '');
    const found = waiting.get(key);
    waiting.delete(key);
    return found;
  };
  return terms.flatMap(({ taxonomy, slug }) => {
    const line: ImportTerm[] = [];
    for (let one = take(taxonomy, slug); one; one = take(taxonomy, one.parent)) line.push(one);
    return line.toReversed();
  });
}

/** For names out of a file: of a plain object they would also find what every object has, such as `constructor`. */
function mapOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
