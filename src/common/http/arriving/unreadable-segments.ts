import type { IncomingMessage } from 'node:http';

/**
 * Takes segments of the path whose escapes cannot be decoded as they stand, so that each route answers them like any other
 * text, behind its guards: `/api/users/%E0%A4%A` is no user, and not a request that no route sees.
 *
 * `/api/cms/%ff/%C3%A9` -> `/api/cms/%25ff/%C3%A9`
 */
export function keepUnreadableSegments(request: IncomingMessage): void {
  const { url = '/' } = request;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (isDecodable(path)) return;
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  request.url = segments.join('/') + url.slice(path.length);
}

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
