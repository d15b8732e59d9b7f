import { counted } from '../../common/text/counted.js';

const MAX_NAMED = 20;

/**
 * Names the service tokens that a lock-down leaves.
 *
 * @param hints what they begin with
 * @returns sentences; none where there is no such token
 */
export function remainingServiceTokens(hints: readonly string[]): readonly string[] {
  if (hints.length === 0) return [];
  const named = hints.slice(0, MAX_NAMED).join(', ') + (hints.length > MAX_NAMED ? ' and more' : '');
  const tokens = counted(hints.length, 'service token');
  return [
    `${tokens} made with the account ${hints.length === 1 ? 'goes' : 'go'} on: ${named}. If you do not know them, have an administrator end them.`,
  ];
}
