import type { Request } from 'express';

/** The form that `Accept` asks for: JSON if that is named, HTML if only that is; `null`: neither, as of most programs. */
export function asksFor(request: Request): 'json' | 'html' | null {
  // What has the quality 0 is not among them.
  const types = request.accepts();
  if (types.includes('application/json')) return 'json';
  return types.includes('text/html') ? 'html' : null;
}

/** True if a client wants to be answered no more than it needs: `Prefer: return=minimal`. @see RFC 7240 */
export function wantsMinimal(prefer: string | undefined): boolean {
  return prefer?.split(',').some((one) => one.trim().toLowerCase() === 'return=minimal') ?? false;
}
