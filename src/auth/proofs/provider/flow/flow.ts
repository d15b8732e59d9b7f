import { createParamDecorator, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { type ServiceRequest, pathOf } from '../../../../common/http/request-context.js';
import { EndpointOfPaths, type NamedEndpoint } from '../../../../common/openapi/endpoint.js';
import { PROVIDER_NAMES, type ProviderName } from '../../../../config/provider-settings.js';
import type { ProviderIdentity, PresentedSession } from '../identity/identity-provider.js';

/** A sign-in that a browser has begun. */
export interface FlowStart {
  /** Where the browser goes in the end; `null`: it gets the answer itself. */
  readonly redirectTo: string | null;
  /** PKCE of the client that will exchange the one-time code. @see RFC 7636 */
  readonly codeChallenge: string | null;
  /** How long ago the user may have signed in at the provider, seconds; `null`: a session that goes on there is enough. */
  readonly maxAge: number | null;
  /** Comes back inside the id_token. */
  readonly nonce: string;
  /** The session that gets another identity; `null`: the visitor is not signed in. */
  readonly session: PresentedSession | null;
  /** What the browser shows as its device at the beginning, unchecked: its cookie does not come back from another site. */
  readonly device: string | null;
}

/** All that a browser keeps, sealed, while it is at the provider. */
export interface Flow extends FlowStart {
  readonly state: string;
  /** Our own PKCE towards the provider. */
  readonly verifier: string;
}

/** How a browser came back from the provider. */
export interface FlowOutcome {
  /** Who it is, or why that is unknown. */
  readonly result: ProviderIdentity | Error;
  /** What was begun in this browser, as soon as the answer is sure to belong to it. */
  readonly flow: Flow | null;
  /** Where the browser can begin the sign-in again that has failed, relative to the callback; `null`: that was none. */
  readonly again: string | null;
}

/** `callback` -> `['google/callback', 'apple/callback', 'oidc/callback']` */
export function ofEveryProvider(step: string): string[] {
  return PROVIDER_NAMES.map((name) => `${name}/${step}`);
}

/** Describes a handler of {@link ofEveryProvider}, whose names in clients have the `title` of each: `Google`. */
export function DescribedForEach(describe: (name: ProviderName, title: string) => NamedEndpoint): CustomDecorator {
  return EndpointOfPaths((path) => {
    const name = providerOf({ originalUrl: path });
    return describe(name, name.charAt(0).toUpperCase() + name.slice(1));
  });
}

/** `/api/auth/google/callback` -> `google` */
function providerOf({ originalUrl }: Pick<ServiceRequest, 'originalUrl'>): ProviderName {
  const segments = pathOf(originalUrl).split('/');
  const name = PROVIDER_NAMES.find((one) => segments[3] === one);
  if (!name) throw new DomainError('not_found', 'There is nothing at this address.');
  return name;
}

/** The provider in the path, as a handler's argument. */
export const CurrentProvider = createParamDecorator((_: unknown, context: ExecutionContext): ProviderName =>
  providerOf(context.switchToHttp().getRequest<ServiceRequest>()),
);
