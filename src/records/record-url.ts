import type { TypeDefinition } from '../content-types/content-type.js';

interface Addressed {
  readonly id: number;
  readonly slug: string;
  readonly locale: string;
}

/**
 * Where a record is on the website: `/post/{slug}` -> `https://www.example.com/post/hello-world`.
 *
 * @param site origin of the website, without a slash at the end
 */
export function recordUrl(
  site: string,
  { url_path, name }: Pick<TypeDefinition, 'url_path' | 'name'>,
  { id, slug, locale }: Addressed,
): string {
  const parts: Readonly<Record<string, string>> = { slug, id: String(id), type: name, locale };
  return site + url_path.replace(/\{(\w+)\}/g, (whole, part: string) => encoded(parts[part] ?? whole));
}

/** An apostrophe may stand in an address, but a sitemap wants it escaped and both must be the same. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}
