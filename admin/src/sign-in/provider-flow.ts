import { showNotification } from '@mantine/notifications';
import { place } from '../place.js';
import { words } from '../words.js';

const VERIFIER = 'console.code_verifier';

/**
 * Sends the browser to a provider, which leads back to the sign-in with a code that only this browser can use.
 *
 * @param isAside in another tab, which gets the verifier along
 */
export async function goToProvider(provider: string, isAside = false): Promise<void> {
  const verifier = newVerifier();
  // Opened before anything is awaited, or the browser refuses it.
  const tab = isAside ? window.open('about:blank') : window;
  if (!tab) {
    showNotification({ color: 'red', message: words.signIn.blocked });
    return;
  }
  if (isAside) tab.opener = null;
  const address = new URL(`api/auth/${provider}/redirect`, place.serviceUrl);
  address.searchParams.set('redirect_to', new URL(`${place.path}login`, window.location.origin).href);
  if (verifier !== null) address.searchParams.set('code_challenge', await challengeOf(verifier));
  tab.location.assign(address);
}

/** The proof for a code that a provider has led back with. */
export function exchangeProof(code: string): Record<string, string> {
  const verifier = sessionStorage.getItem(VERIFIER);
  sessionStorage.removeItem(VERIFIER);
  return verifier === null ? { code } : { code, code_verifier: verifier };
}

/** A secret of this browser (RFC 7636). `null`: pages over plain http cannot use it. */
function newVerifier(): string | null {
  sessionStorage.removeItem(VERIFIER);
  if (!window.isSecureContext) return null;
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(VERIFIER, verifier);
  return verifier;
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
