import { send, sendJson } from './raw.js';
import type { ServiceProcess } from './service.js';

const TYPES = 24;
const FIELDS = 200;
const VALUES = Array.from({ length: 100 }, (_, n) => `value number ${n}`);

const nameOf = (n: number): string => `choices_${n}`;

/** Makes the types whose descriptions are the longest, where they are missing, and changes one of them. */
export async function changeBroadTypes(service: ServiceProcess, turn: number): Promise<void> {
  const last = await send(service, { path: `/api/cms/types/${nameOf(TYPES - 1)}` });
  if (last.status !== 200) await makeTypes(service);
  const body = { label: `Choices ${turn} ${Date.now()}` };
  await sendJson(service, { method: 'PUT', path: `/api/admin/types/${nameOf(0)}`, body });
}

async function makeTypes(service: ServiceProcess): Promise<void> {
  const fields = Array.from({ length: FIELDS }, (_, n) => ({
    name: `field_number_${n}`,
    label: 'L'.repeat(200),
    indexed: n % 3 === 0,
    ...(n % 4 === 0 ? { type: 'string' } : { type: 'enum', values: VALUES }),
  }));
  for (let n = 0; n < TYPES; n += 1) {
    await send(service, {
      method: 'POST',
      path: '/api/admin/types',
      body: { name: nameOf(n), label: 'Choices', fields },
    });
  }
}
