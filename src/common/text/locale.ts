/** The form in which locales are kept: `'PT-br'` -> `'pt-BR'`, `'iw'` -> `'he'`; of no tag of a language its small letters. */
export function canonicalLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? '';
  } catch {
    return text.toLowerCase();
  }
}
