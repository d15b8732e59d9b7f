import { Like } from 'typeorm';

const PREFIX = 'jwt:';

/** A condition on the provider of identities: trusted issuers and gateways know their users by them. @see ADR 34 */
export const OF_ISSUER = Like(`${PREFIX}%`);

/** What an identity of an issuer is kept under: `corp` -> `jwt:corp` */
export function providerOfIssuer(name: string): string {
  return `${PREFIX}${name}`;
}

/** The name of the issuer that an identity is of; `null`: it is of a provider that users sign in with here. */
export function issuerOf({ provider }: { readonly provider: string }): string | null {
  return provider.startsWith(PREFIX) ? provider.slice(PREFIX.length) : null;
}
