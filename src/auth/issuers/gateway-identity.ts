import { Injectable } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';
import type { Caller } from '../../common/access/caller.js';
import { visitorOf } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { GATEWAY_HEADERS } from '../../common/http/arriving/gateway.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { emailAddress } from '../../common/text/email-address.js';
import type { GatewayRules } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { isSame } from '../secrets/secrets.js';
import { SameOrigin } from '../sessions/refreshing/presented-tokens.js';
import { personFrom, type NamedPerson } from './foreign-claims.js';
import { IssuerUsers } from './issuer-users.js';

/** The text of a header, of which Node makes a character of each byte: UTF-8 if the bytes are that, otherwise Latin-1. */
export function headerText(received: string): string {
  const bytes = Buffer.from(received, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : received;
}

/** One item of a list, with the comma behind it: in quotes, or up to the next comma. Linear: the parts exclude each other. */
const ITEM = /[ \t]*(?:"((?:[^"\\]|\\.)*)"[ \t]*|((?![ \t"])[^,]*))(?:,|$)/y;

/**
 * The names in a header: `staff, "Press, Prague"` -> `['staff', 'Press, Prague']`. A comma in quotes separates nothing:
 * otherwise people who may name a group would be in others by its name. `null`: quotes do not close.
 *
 * @see RFC 9110, section 5.6.4
 */
function groupList(text: string): readonly string[] | null {
  const names: string[] = [];
  for (let at = 0; at < text.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(text);
    if (!item) return null;
    const [, quoted, plain = ''] = item;
    names.push(quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1'));
  }
  return names;
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const SECONDS = /^\d{1,11}$/;
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

type GatewayHeader = (typeof GATEWAY_HEADERS)[keyof typeof GATEWAY_HEADERS];

/** Express' own reading of `TRUST_PROXY`. */
type IsTrusted = (address: string, hop: number) => boolean;

/** The user whom a gateway names in headers, if it proves itself by its secret and by its address. */
@Injectable()
export class GatewayIdentity {
  constructor(
    private readonly settings: Settings,
    private readonly users: IssuerUsers,
    private readonly sameOrigin: SameOrigin,
  ) {}

  /**
   * `null`: there are no such headers, or they are not the gateway's.
   *
   * @throws {DomainError} `malformed_request`, `csrf_rejected`, `role_not_granted`, `account_disabled`, `signup_closed`
   */
  async callerOf(request: ServiceRequest): Promise<Caller | null> {
    const { gatewaySecret, gatewayUsers } = this.settings.outsiders;
    if (gatewaySecret === null || gatewayUsers === null || !isFrom(request, gatewaySecret)) return null;
    const person = personFrom(namedIn(request, gatewayUsers), gatewayUsers);
    if (!person) return null;
    // Browsers are signed in at the gateway by a cookie, which they send along with requests of other pages too.
    if (!READING.has(request.method)) this.sameOrigin.require(request.headers);
    return this.users.callerOf(person, gatewayUsers, visitorOf(request));
  }
}

/** The user in the headers; the subject is empty if they name none. @throws {DomainError} `malformed_request` */
function namedIn(request: ServiceRequest, { ignoresCase, saysAuthTime }: GatewayRules): NamedPerson {
  const text = (name: GatewayHeader): string => headerText(headerOf(request, name) ?? '');
  const user = text(GATEWAY_HEADERS.user);
  const groups = groupList(text(GATEWAY_HEADERS.groups));
  if (groups === null) {
    throw new DomainError('malformed_request', `The header ${GATEWAY_HEADERS.groups} has quotes that do not close.`);
  }
  return {
    subject: ignoresCase ? user.toLowerCase() : user,
    email: emailAddress(text(GATEWAY_HEADERS.email)),
    groups,
    authTime: saysAuthTime ? instantOf(text(GATEWAY_HEADERS.authTime)) : 0,
  };
}

/** `1764338932` and `2026-11-28T14:08:52Z` -> milliseconds since 1970, UTC; 0: anything else. */
function instantOf(text: string): number {
  if (SECONDS.test(text)) return Number(text) * 1_000;
  return ISO_8601.test(text) ? Date.parse(text) || 0 : 0;
}

function isFrom(request: ServiceRequest, secret: string): boolean {
  const isTrusted = request.app.get('trust proxy fn') as IsTrusted;
  const shown = headerOf(request, GATEWAY_HEADERS.secret);
  return shown !== null && isSame(shown, secret) && isTrusted(request.socket.remoteAddress ?? '', 0);
}

/** @throws {DomainError} `malformed_request`: it was sent twice, once perhaps by the client */
function headerOf({ headersDistinct }: ServiceRequest, name: GatewayHeader): string | null {
  const values = headersDistinct[name] ?? [];
  if (values.length > 1) throw new DomainError('malformed_request', `The header ${name} was sent more than once.`);
  return values[0] ?? null;
}
