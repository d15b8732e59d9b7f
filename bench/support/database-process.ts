import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { DATABASE_URL } from './options.js';

const CLOCK_TICKS_PER_SECOND = 100;
const LISTENS = '0A';

/** Seconds of CPU that the server of the database has used so far; 0 for SQLite, and where its process cannot be seen. */
export function databaseCpu(): () => number {
  const pid = DATABASE_URL.startsWith('sqlite:') ? null : processAt(Number(new URL(DATABASE_URL).port || 3306));
  return () => (pid === null ? 0 : cpuSeconds(pid));
}

/** The process that listens on a port of this machine. */
function processAt(port: number): string | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      lines(file).flatMap((line) => {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
        return local.endsWith(`:${hex}`) && state === LISTENS ? [`socket:[${inode ?? ''}]`] : [];
      }),
    ),
  );
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.find((pid) => filesOf(pid).some((file) => sockets.has(file))) ?? null;
}

function filesOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    // It has ended, a file of it has been closed, or it is another account's.
    return [];
  }
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function cpuSeconds(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}
