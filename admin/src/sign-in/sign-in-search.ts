/** Parameters of the sign-in: the page to go on to, and the answer of a link or a provider. */
export interface SignInSearch {
  /** Address within the console. */
  readonly to?: string | undefined;
  /** The one-time code of a provider or link. */
  readonly code?: string | undefined;
  /** The reason why a provider has given none. */
  readonly error?: string | undefined;
}

export function signInSearch({ to, code, error }: Readonly<Record<string, unknown>>): SignInSearch {
  return { to: ownAddress(to), code: text(code), error: text(error) };
}

/** An address of the console itself, whatever stands in the one that led here. */
function ownAddress(value: unknown): string | undefined {
  const address = text(value);
  return address !== undefined && /^\/(?![/\\])/.test(address) ? address : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
