/** Characters that a slug may have. */
const LONGEST = 191;

/** The slug of a title, as the service takes it: `Čas & Práce!` -> `cas-prace`. Empty: the title has no letter and no digit. */
export function slugOf(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
}

/** Tells whether records of a type that are in different languages may have one slug, since their addresses differ. */
export function sharesSlugs({ url_path: path }: { readonly url_path: string }): boolean {
  return path.includes('{locale}') || path.includes('{id}');
}

/** Finds another record that has a slug. */
export function holderOf<Holder extends { readonly id: number }>(
  found: readonly Holder[],
  own: number | undefined,
): Holder | undefined {
  return found.find(({ id }) => id !== own);
}
