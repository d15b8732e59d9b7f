import type { ImportTerm, Leftover } from '../import-entry.js';
import { termSlug } from '../../../taxonomy/terms/term-slug.js';
import { decoded, slugFrom } from '../slug-text.js';
import { plainTextOf, textOf, type Element } from './xml-units.js';

/** What WordPress calls a taxonomy, and what it is called here. */
const TAXONOMIES = mapOf({ post_tag: 'tag' });

/** Terms of these say how the old site looked. */
export const LOOKS = mapOf({
  nav_menu: 'Menus belong to the old site.',
  post_format: 'Post formats choose a template of the old site.',
  wp_theme: 'Themes belong to the old site.',
  wp_template_part_area: 'Templates belong to the old site.',
  link_category: 'Links of the blogroll are not kept.',
});

export function taxonomyOf(name: string): string {
  return TAXONOMIES.get(name) ?? name;
}

/** A category, a tag or a term of another taxonomy, as it stands before the items. */
export function termOf(element: Element, file: string): ImportTerm | Leftover {
  const { name, line } = element;
  const place = { file, line };
  const text = (child: string) => textOf(element, child);
  const plain = (child: string) => plainTextOf(element, child);
  if (name === 'wp:category') {
    const [slug, parent] = [decoded(text('wp:category_nicename')), text('wp:category_parent')];
    const description = plain('wp:category_description');
    return term(place, { taxonomy: 'category', slug, name: plain('wp:cat_name'), parent, description });
  }
  if (name === 'wp:tag') {
    const [slug, description] = [decoded(text('wp:tag_slug')), plain('wp:tag_description')];
    return term(place, { taxonomy: 'tag', slug, name: plain('wp:tag_name'), parent: '', description });
  }
  const kind = text('wp:term_taxonomy');
  const reason = LOOKS.get(kind);
  if (reason !== undefined) return { kind: 'leftover', what: `terms of ${kind}`, reason, ...place };
  const [slug, parent] = [decoded(text('wp:term_slug')), text('wp:term_parent')];
  const description = plain('wp:term_description');
  return term(place, { taxonomy: taxonomyOf(kind), slug, name: plain('wp:term_name'), parent, description });
}

function term(
  place: { file: string; line: number },
  {
    parent,
    slug,
    taxonomy,
    description,
    ...given
  }: { taxonomy: string; slug: string; name: string; parent: string; description: string },
): ImportTerm {
  const name = given.name === '' ? slug : given.name;
  return {
    kind: 'term',
    ...place,
    taxonomy,
    name,
    slug: slugFrom(slug) ?? termSlug(name),
    description,
    parent: parent === '' ? null : (slugFrom(parent) ?? decoded(parent)),
  };
}

/** Parents before their children; what goes round in a circle keeps its order and is for the tree to refuse. */
export function parentsFirst(terms: readonly ImportTerm[]): ImportTerm[] {
  const waiting = new Map(terms.map((one) => [keyOf(one.taxonomy, one.slug), one]));
  const take = (taxonomy: string, slug: string | null): ImportTerm | undefined => {
    const key = keyOf(taxonomy, slug ?? '');
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
export function mapOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}

function keyOf(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}
