import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isLoopback } from '../config/values/addresses.js';

/** The token of the demo, for its page of the API. Only a browser on this machine that names it so gets the token. */
@Injectable()
export class DemoToken {
  private token: string | null = null;

  set(token: string): void {
    this.token = token;
  }

  /** `null`: there is none for this request. */
  for({ headers, socket }: Request): string | null {
    const isFromElsewhere =
      headers.origin !== undefined ||
      headers['x-forwarded-for'] !== undefined ||
      !['none', 'same-origin', undefined].includes(headers['sec-fetch-site']?.toString());
    if (isFromElsewhere || !isLoopback(nameOf(headers.host)) || !isOwnMachine(socket.remoteAddress)) return null;
    return this.token;
  }
}

/** `[::1]:3000` -> `[::1]`. */
function nameOf(host = ''): string {
  return host.replace(/:\d+$/, '');
}

function isOwnMachine(address = ''): boolean {
  return isLoopback(address.replace(/^::ffff:/, ''));
}
