import type { Settings } from '../../../config/settings.js';
import type { TrustProxy } from '../../../config/values/trust-proxy.js';
import type { Check } from '../check.js';

/** Whose word counts for the address of a client. What stands in front of the service is not seen from here. */
export const gatewayCheck: Check<Settings> = {
  name: 'gateway',
  look: ({ trustProxy }) => [{ ok: true, message: believed(trustProxy) }],
};

function believed(trustProxy: TrustProxy): string {
  if (trustProxy === false)
    return 'TRUST_PROXY is not set: X-Forwarded-For is ignored. Behind a gateway all clients have its address, and the limits of one';
  if (typeof trustProxy === 'number')
    return `the last ${trustProxy} of X-Forwarded-For are proxies. With fewer of them clients choose their own address; the log warns of the first such request. Networks (TRUST_PROXY=10.0.0.0/8) are safer`;
  return `X-Forwarded-For is believed from ${trustProxy.join(', ')}`;
}
