/** The id that a text stands for; `null` where it can be none. */
export function idOf(text: string): number | null {
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}
