/** A field that two people have changed since the one who edits it has loaded it. */
export interface Clash {
  /** Name of the field, as the API has it. */
  readonly field: string;
  /** Name of the field, as people see it. */
  readonly label: string;
  /** The value that both have begun with. */
  readonly base: unknown;
  /** The value in the input. */
  readonly mine: unknown;
  /** The value at the service. */
  readonly theirs: unknown;
}

/** The author of the other change; `null`: a program, or a person whose name may not be seen. */
export type Other = { readonly name: string } | null;

/** Texts of a clash, or `null` where a side is no text, so that there is nothing to merge. */
export function textsOf({ base, mine, theirs }: Clash): { base: string; mine: string; theirs: string } | null {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return { base: typeof base === 'string' ? base : '', mine, theirs };
}

/** Tells whether merging is worth a dialog: the values are texts of some lines, or as long as some. */
export function isLong(clash: Clash): boolean {
  const texts = textsOf(clash);
  return texts !== null && Object.values(texts).some((text) => /[\r\n]/.test(text.trimEnd()) || text.length > 160);
}

/** Id of the notice of a field, by which the summary leads to it. */
export function clashId(field: string): string {
  return `clash-${field}`;
}
