/** Parameters in the address of a taxonomy. */
interface TaxonomySearch {
  /** Words to look for; absent: all terms. */
  readonly q?: string;
}

/** Reads what stands in an address. */
export function taxonomySearch({ q }: Readonly<Record<string, unknown>>): TaxonomySearch {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 255) : '';
  return text === '' ? {} : { q: text };
}
