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
