import type { ProviderName } from '../../config/provider-settings.js';

/** As they stand inside a sentence. */
const TITLES: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  apple: 'Apple',
  oidc: 'your organisation’s sign-in',
};

/** What people call an identity provider, inside a sentence: `google` -> `Google`. One of a former release has its name. */
export function providerTitle(provider: string): string {
  return Object.hasOwn(TITLES, provider) ? TITLES[provider as ProviderName] : provider;
}

/** The same at the beginning of a sentence. */
export function providerTitleFirst(provider: string): string {
  const title = providerTitle(provider);
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}
