import type { ProviderName } from '../../config/provider-settings.js';
import type { AuthMethod } from '../../config/sign-in-settings.js';

/** The ways to sign in that `AUTH_METHODS` has. */
export type Methods = ReadonlySet<AuthMethod>;

/** What of a mail signs in, as part of a sentence: `a code or a link`; `null`: nothing does. */
export function mailedWays(methods: Methods): string | null {
  const ways = [...(methods.has('otp') ? ['a code'] : []), ...(methods.has('magic-link') ? ['a link'] : [])];
  return ways.length > 0 ? ways.join(' or ') : null;
}

/** What the owner of an account signs in with who has no other way yet, as part of a sentence: `a code by mail`. */
export function ownersWay(methods: Methods): string {
  if (methods.has('otp')) return 'a code by mail';
  if (methods.has('magic-link')) return 'a link by mail';
  return methods.has('password') ? 'your password' : 'an identity that is linked to it';
}

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
