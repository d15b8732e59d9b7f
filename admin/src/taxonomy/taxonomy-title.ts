/** The title of a taxonomy for people: its name, since only people who declare taxonomies may read more of them. */
export function titleOf(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
