/** Data that the service has put into the page: its address, and its name. */
interface Place {
  /** Lets libraries add styles under the policy of the page. */
  readonly nonce: string;
  /** Origins whose pages may keep a session; that of the service itself comes first. */
  readonly origins: readonly string[];
  /** The name of the service. */
  readonly service: string;
  /** Path of the console, with a slash at its end: `/cms/admin/`. */
  readonly path: string;
  /** Address of the service, with a slash at its end. */
  readonly serviceUrl: string;
}

function read(): Place {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="place"]');
  const base = new URL(document.baseURI);
  return {
    nonce: meta?.nonce ?? '',
    origins: (meta?.dataset.origins ?? base.origin).split(' '),
    service: meta?.dataset.service ?? base.host,
    path: base.pathname,
    serviceUrl: new URL('..', base).href,
  };
}

export const place = read();

/** Tells whether the service lets a page of this origin keep a session. */
export function isAtHome(): boolean {
  return place.origins.includes(window.location.origin);
}
