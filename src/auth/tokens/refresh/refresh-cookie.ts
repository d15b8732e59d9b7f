import { Injectable } from '@nestjs/common';
import { cookieOf } from '../../../common/http/cookie.js';
import { Settings } from '../../../config/settings.js';
import { ownCookie } from '../../secrets/own-cookies.js';
import { isFormerVersion } from './refresh-tokens.js';

interface Form {
  readonly name: string;
  readonly attributes: string;
}

const NAME = 'cms_refresh';
const FORMER: Form = { name: `__Secure-${NAME}`, attributes: 'Path=/api/auth; HttpOnly; SameSite=Strict; Secure' };

/**
 * The cookie in which browsers keep a refresh token where no script can read it.
 *
 * `__Host-` asks for `Path=/`. A narrower path sends the cookie less often, but protects it from nothing: pages of the
 * same origin reach every path. Without the prefix a sibling domain can plant a session of its own. The cookie of earlier
 * versions had none, so it counts with tokens of those versions only, which end within `REFRESH_IDLE`; it is taken away
 * wherever the cookie is set.
 *
 * Over plain http, and below a base path, it is sent to the sign-in only.
 */
@Injectable()
export class RefreshCookie {
  private readonly form: Form;
  private readonly hasFormer: boolean;

  constructor(settings: Settings) {
    const { name, path, secure } = ownCookie(settings, NAME);
    this.hasFormer = path === '/' && secure !== '';
    const narrow = this.hasFormer ? path : `${settings.gateway.basePath}/api/auth`;
    this.form = { name, attributes: `Path=${narrow}; HttpOnly; SameSite=Strict${secure}` };
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
    return cookieOf(header, this.form.name) ?? (this.hasFormer ? formerToken(header) : null);
  }

  private setting(token: string, seconds: number): readonly string[] {
    return [line(this.form, token, seconds), ...(this.hasFormer ? [line(FORMER, '', 0)] : [])];
  }
}

function formerToken(header: string | undefined): string | null {
  const token = cookieOf(header, FORMER.name);
  return token !== null && isFormerVersion(token) ? token : null;
}

function line({ name, attributes }: Form, value: string, seconds: number): string {
  return `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
}
