import { Injectable } from '@nestjs/common';
import { cookieOf } from '../../../common/http/cookie.js';
import { Settings } from '../../../config/settings.js';
import { isFormerVersion } from './refresh-tokens.js';

const HOST_ONLY = { name: '__Host-cms_refresh', attributes: 'Path=/; HttpOnly; SameSite=Strict; Secure' };
const FORMER = { name: '__Secure-cms_refresh', attributes: 'Path=/api/auth; HttpOnly; SameSite=Strict; Secure' };
const PLAIN = { name: 'cms_refresh', attributes: 'Path=/api/auth; HttpOnly; SameSite=Strict' };

/**
 * The cookie in which browsers keep a refresh token where no script can read it.
 *
 * `__Host-` asks for `Path=/`. A narrower path sends the cookie less often, but protects it from nothing: pages of the
 * same origin reach every path. Without the prefix a sibling domain can plant a session of its own. The cookie of earlier
 * versions had none, so it counts with tokens of those versions only, which end within `REFRESH_IDLE`; it is taken away
 * wherever the cookie is set.
 *
 * Over plain http, which is for trying things out, it is neither `Secure` nor named as if it were.
 */
@Injectable()
export class RefreshCookie {
  private readonly isSecure: boolean;

  constructor({ publicUrl }: Settings) {
    this.isSecure = publicUrl.startsWith('https:');
  }

  /** @returns the `Set-Cookie` headers that keep a token */
  keep(token: string, seconds: number): readonly string[] {
    return this.setting(token, seconds);
  }

  /** @returns the `Set-Cookie` headers that take it away */
  clear(): readonly string[] {
    return this.setting('', 0);
  }

  /** The token in a `Cookie` header; `null`: none that is surely ours. */
  read(header: string | undefined): string | null {
    if (!this.isSecure) return cookieOf(header, PLAIN.name);
    return cookieOf(header, HOST_ONLY.name) ?? formerToken(header);
  }

  private setting(token: string, seconds: number): readonly string[] {
    if (!this.isSecure) return [line(PLAIN, token, seconds)];
    return [line(HOST_ONLY, token, seconds), line(FORMER, '', 0)];
  }
}

function formerToken(header: string | undefined): string | null {
  const token = cookieOf(header, FORMER.name);
  return token !== null && isFormerVersion(token) ? token : null;
}

function line({ name, attributes }: typeof PLAIN, value: string, seconds: number): string {
  return `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
}
