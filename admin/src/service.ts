import { createClient } from '@content-service/client';
import { place } from './place.js';
import { ConsoleSession } from './session.js';

/** Some browsers of the past have none: a tab of theirs looks when it is turned to. */
const { BroadcastChannel: Channel } = window as Partial<Pick<typeof globalThis, 'BroadcastChannel'>>;

/** The one session of the console. */
export const session = new ConsoleSession({
  connect: (events) => createClient({ url: place.serviceUrl, ...events }),
  channel: Channel ? new Channel(`content-console ${place.path}`) : null,
  reload: () => window.location.assign(place.path),
});

export const { client } = session;

document.addEventListener('visibilitychange', () => {
  if (session.isEnded && document.visibilityState === 'visible') void session.look();
});
