import { createClient } from '@content-service/client';
import { place } from './place.js';

const leaving = new Set<() => void>();

/** The one client of the console. */
export const client = createClient({
  url: place.serviceUrl,
  onSignedOut: () => {
    for (const leave of leaving) leave();
  },
});

/** Calls back when the session has ended elsewhere. @returns ends that */
export function onSignedOut(leave: () => void): () => void {
  leaving.add(leave);
  return () => leaving.delete(leave);
}
