import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopCase, Place } from './loop-case.js';
import { ITEM, LONG, LONG_RECORDS } from './loop-content.js';
import { send } from './raw.js';
import { AUTHORIZATION, type ServiceProcess } from './service.js';

const SLOW_READERS = 400;
const SLOW_MS = 5_000;
const READERS = 4;

/** Requests beside many others. */
export function crowds(place: Place): LoopCase[] {
  return [
    { ...slowReaders(place, 'lists of records of 1 MB', `/api/cms/${LONG}?per_page=${LONG_RECORDS}`), isLargest: true },
    slowReaders(place, 'lists of 100 records', `/api/cms/${ITEM}?per_page=100`),
    slowReaders(place, 'exports', `/api/cms/${ITEM}/-/export`),
  ];
}

/** Readers who ask for something long and take nothing of it, as many at once as a service should bear. */
function slowReaders({ service }: Place, title: string, path: string): LoopCase {
  return {
    title: `${SLOW_READERS} slow readers of ${title}`,
    isOpen: false,
    runs: 1,
    run: async () => {
      const sockets = Array.from({ length: SLOW_READERS }, () => idleReader(service, path));
      await sleep(SLOW_MS);
      for (const socket of sockets) socket.destroy();
      return null;
    },
  };
}

function idleReader({ url }: ServiceProcess, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  // The service may end a connection that takes nothing.
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`);
  return socket;
}

/** The same case while others read lists. */
export function besideReaders({ service }: Place, one: LoopCase): LoopCase {
  return {
    ...one,
    title: `${one.title}, ${READERS} readers beside`,
    run: async (turn, own) => {
      const state = { isOver: false };
      const reader = async (): Promise<void> => {
        while (!state.isOver) await send(service, { path: `/api/cms/${ITEM}?per_page=15` });
      };
      const readers = Array.from({ length: READERS }, reader);
      try {
        return await one.run(turn, own);
      } finally {
        state.isOver = true;
        await Promise.all(readers);
      }
    },
  };
}
