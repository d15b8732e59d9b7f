import { accessSync, constants, statfsSync } from 'node:fs';
import { join, dirname, resolve } from 'node:path';
import { nearestFolder } from '../../common/nearest-folder.js';
import { packageInfo } from '../../common/package-info.js';
import { succeeds } from '../../common/succeeds.js';
import type { Settings } from '../../config/settings.js';
import type { TrustProxy } from '../../config/values/trust-proxy.js';
import { verdict, type Check, type CheckResult } from './check.js';

const settingsCheck: Check<Settings> = {
  name: 'settings',
  look: ({ warnings }) => verdict(warnings, 'every variable that looks like a setting is one'),
};

/** A service without a mail server is whole, so this is never a failure; but it should surprise no operator. */
const mailCheck: Check<Settings> = {
  name: 'mail',
  look({ mail, dataDir }) {
    if (mail.smtp) return [{ ok: true, message: `${mail.smtp.label}, from ${mail.from.address}` }];
    const where = mail.transport === 'log' ? 'to the log' : `into ${join(dataDir, 'outbox')}`;
    const message = `goes ${where} and reaches nobody. To send it, set SMTP_URL=smtp://user:password@mail.example.com:587.`;
    return [{ ok: true, message }];
  },
};

/** Says whose word counts for the address of a client. What stands in front of the service is not seen from here. */
const gatewayCheck: Check<Settings> = {
  name: 'gateway',
  look: ({ trustProxy }) => [{ ok: true, message: believed(trustProxy) }],
};

function believed(trustProxy: TrustProxy): string {
  if (trustProxy === false)
    return 'TRUST_PROXY is not set: X-Forwarded-For is ignored. Behind a gateway all clients have its address, and the limits of one';
  if (typeof trustProxy === 'number')
    return `the last ${trustProxy} of X-Forwarded-For are proxies. With fewer of them clients choose their own address; the log warns of the first such request. Networks (TRUST_PROXY=10.0.0.0/8) are safer`;
  return `X-Forwarded-For is believed from ${trustProxy.join(', ')}`;
}

const MIB = 1_048_576;
/** The log of SQLite alone may take a hundred; with less a rush of writes fills the disk. */
const LEAST_FREE = 256 * MIB;

const diskCheck: Check<Settings> = {
  name: 'disk',
  look({ dataDir, database }) {
    const file = database.kind === 'sqlite' ? dirname(database.file) : dataDir;
    return [...new Set([resolve(dataDir), resolve(file)])].flatMap(spaceIn);
  },
};

function spaceIn(folder: string): CheckResult[] {
  const place = nearestFolder(folder);
  const { bavail, bsize } = statfsSync(place);
  const free = `${Math.floor((bavail * bsize) / MIB)} MiB are free in ${folder}`;
  if (bavail * bsize < LEAST_FREE)
    return verdict([`Only ${free}, less than ${LEAST_FREE / MIB}. Make room: writes fail when it is full.`], '');
  const isWritable = succeeds(() => {
    accessSync(place, constants.W_OK);
  });
  return verdict(isWritable ? [] : [`${place} cannot be written to by this user. Change its owner.`], free);
}

export const SETTINGS_CHECKS: readonly Check<Settings>[] = [settingsCheck, mailCheck, gatewayCheck, diskCheck];

export const nodeCheck: Check<string> = {
  name: 'node',
  look(version) {
    const oldest = packageInfo().engines.node.replace('>=', '');
    const ok = version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
    return [{ ok, message: ok ? version : `This is Node ${version}. Install ${oldest} or later.` }];
  },
};
