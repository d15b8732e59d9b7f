/** What people call a taxonomy: its name, since only those who declare taxonomies may read more of them. */
export function titleOf(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
