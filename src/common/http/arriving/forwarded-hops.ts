import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/**
 * Warns once in the life of the process of requests that came through fewer proxies than `TRUST_PROXY` counts: one hop
 * too many, and the address of a client is what that client wrote into `X-Forwarded-For`. Requests without the header
 * came past the proxies, as the questions of a load balancer do, and say nothing about them.
 */
export function forwardedHops(hops: number, log: Logger): RequestHandler {
  let isWarned = false;
  return ({ headers }, _response, next) => {
    const entries = isWarned ? hops : entriesOf(headers['x-forwarded-for'], hops);
    if (entries > 0 && entries < hops) {
      isWarned = true;
      log.warn(
        { trust_proxy: hops, entries },
        'a request came through fewer proxies than TRUST_PROXY counts: with too many, clients choose their own address',
      );
    }
    next();
  };
}

/**
 * Warns once in the life of the process of a request with `X-Forwarded-For` where no proxy is trusted: behind a gateway
 * all clients have its address then, and share the limits of one.
 */
export function unexpectedForwarding(log: Logger): RequestHandler {
  let isWarned = false;
  return ({ headers }, _response, next) => {
    if (!isWarned && ADDRESS.test(String(headers['x-forwarded-for'] ?? ''))) {
      isWarned = true;
      log.warn(
        'a request has X-Forwarded-For and TRUST_PROXY is not set: behind a gateway all clients share one address, and its limits',
      );
    }
    next();
  };
}

/** Something else than blanks and commas. */
const ADDRESS = /[^\s,]/;

/** How many addresses there are in the header, counted up to a limit. One without any says as little as none. */
function entriesOf(header: string | string[] | undefined, most: number): number {
  const text = String(header ?? '');
  return ADDRESS.test(text) ? text.split(',', most).length : 0;
}
