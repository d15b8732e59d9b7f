import type { TypeDefinition } from '../../content-types/definition/content-type.js';

interface Addressed {
  readonly id: number;
  readonly slug: string;
  readonly locale: string;
}

type Addressing = Pick<TypeDefinition, 'url_path' | 'name'>;

/** What stands in the place of a part of a path. */
type Part = (record: Addressed) => string;

const PLACE = /\{(\w+)\}/;
/** Of these `encodeURIComponent` changes none. */
const PLAIN = /^[\w.~-]*$/;

/** The paths of types, taken apart. */
const paths = new WeakMap<Addressing, readonly Part[]>();

/**
 * Where a record is on the website: `/post/{slug}` -> `https://www.example.com/post/hello-world`.
 *
 * @param site origin of the website, without a slash at the end
 */
export function recordUrl(site: string, type: Addressing, record: Addressed): string {
  let parts = paths.get(type);
  if (!parts) {
    parts = partsOf(type);
    paths.set(type, parts);
  }
  let url = site;
  for (const part of parts) url += part(record);
  return url;
}

function partsOf({ url_path: path, name: type }: Addressing): readonly Part[] {
  const places: Readonly<Record<string, Part>> = {
    slug: ({ slug }) => encoded(slug),
    id: ({ id }) => String(id),
    type: () => encoded(type),
    locale: ({ locale }) => encoded(locale),
  };
  // Texts and names in turns.
  return path.split(PLACE).map((text, index) => {
    if (index % 2 === 0) return () => text;
    return places[text] ?? (() => encoded(`{${text}}`));
  });
}

/** An apostrophe may stand in an address, but a sitemap wants it escaped and both must be the same. */
function encoded(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text).replaceAll("'", '%27');
}
