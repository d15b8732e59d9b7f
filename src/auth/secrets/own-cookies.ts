import type { Settings } from '../../config/settings.js';

/** Under which name browsers keep a cookie of the service, and to what they send it. */
export interface OwnCookie {
  readonly name: string;
  readonly path: string;
  /** `; Secure`, the last of its attributes, or nothing. */
  readonly secure: '; Secure' | '';
}

/**
 * A cookie that no sibling domain can plant (`__Host-`, which asks for `Path=/`). Below a base path the host is shared
 * with other services, which must not be sent it: there the path is that of the sign-in, and the prefix `__Secure-`. Over
 * plain http, which is for trying things out, it is neither `Secure` nor named as if it were.
 *
 * @see ADR 34
 */
export function ownCookie({ publicUrl, gateway }: Pick<Settings, 'publicUrl' | 'gateway'>, name: string): OwnCookie {
  const isSecure = publicUrl.startsWith('https:');
  const path = gateway.basePath === '' ? '/' : `${gateway.basePath}/api/auth`;
  const prefix = gateway.basePath === '' ? '__Host-' : '__Secure-';
  return isSecure ? { name: prefix + name, path, secure: '; Secure' } : { name, path, secure: '' };
}
