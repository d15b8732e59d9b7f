import { Injectable } from '@nestjs/common';
import { cookieOf } from '../../common/http/cookie.js';
import { Settings } from '../../config/settings.js';

const ATTRIBUTES = 'Path=/api/auth; HttpOnly; SameSite=Strict';

/**
 * The cookie in which browsers keep a refresh token where no script can read it.
 * Over plain http, which is for trying things out, it is neither `Secure` nor named as if it were.
 */
@Injectable()
export class RefreshCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor({ publicUrl }: Settings) {
    const isSecure = publicUrl.startsWith('https:');
    this.name = isSecure ? '__Secure-cms_refresh' : 'cms_refresh';
    this.attributes = isSecure ? `${ATTRIBUTES}; Secure` : ATTRIBUTES;
  }

  /** @returns the `Set-Cookie` header that keeps a token */
  keep(token: string, seconds: number): string {
    return `${this.name}=${token}; Max-Age=${seconds}; ${this.attributes}`;
  }

  /** @returns the `Set-Cookie` header that takes it away */
  clear(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`;
  }

  /** The token in a `Cookie` header; `null`: none that is surely ours. */
  read(header: string | undefined): string | null {
    return cookieOf(header, this.name);
  }
}
