/** Some gateways ask with the method of their client, and put its path behind ours: `/` becomes `/api/auth/check/`. */
export const CHECK_PATHS = ['api/auth/check', 'api/auth/check/*rest'];

const CHECK_PATH = /^\/api\/auth\/check(?:\/|$)/;

/** Whether a path is one that gateways ask. */
export function isCheckPath(path: string): boolean {
  return CHECK_PATH.test(path);
}
