/**
 * The form in which locales are kept and compared: `'PT-br'` -> `'pt-BR'`, `'iw'` -> `'he'`. What is no tag of a
 * language comes back in small letters: the rules of records have the word on it.
 */
export function canonicalLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? '';
  } catch {
    return text.toLowerCase();
  }
}
