import type { Metadata, StateStoreStoreCallback } from 'passport-oauth2';
import type { ProviderName } from '../../../../config/provider-settings.js';
import type { FlowCookies } from './flow-cookies.js';
import type { FlowRequest, FlowStart } from './flow.js';
import { asError } from '../identity/provider.errors.js';

type Verified = (error: unknown, verifier?: string | false, flow?: unknown) => void;

/**
 * Where passport-oauth2 keeps `state` and the PKCE verifier: in a cookie, not in a session.
 * It finds out what a store can do by the number of parameters of its methods, so each has to stay as it is.
 */
export class FlowStateStore {
  constructor(
    private readonly provider: ProviderName,
    private readonly cookies: FlowCookies,
  ) {}

  store(request: FlowRequest, verifier: string, start: FlowStart, _: Metadata, stored: StateStoreStoreCallback): void {
    this.cookies.begin(request, this.provider, start, verifier).then(
      ({ state }) => {
        stored(null, state);
      },
      (error: unknown) => {
        stored(asError(error), null);
      },
    );
  }

  verify(request: FlowRequest, state: string, _: Metadata, verified: Verified): void {
    this.cookies.end(request, this.provider, state).then((flow) => {
      request.flow = flow;
      verified(null, flow.verifier, flow);
    }, verified);
  }
}
