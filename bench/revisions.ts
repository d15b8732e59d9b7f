import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app/app.setup.js';
import type { Caller } from '../src/common/access/caller.js';
import { readSettings } from '../src/config/settings.js';
import type { CompiledType } from '../src/content-types/definition/content-type.js';
import { ContentTypesService } from '../src/content-types/store/content-types.service.js';
import { Reads } from '../src/database/statements/reads.js';
import { RecordsService } from '../src/records/records.service.js';
import { JobRunner } from '../src/common/jobs/job-runner.js';
import { Retention } from '../src/revisions/retention.js';
import { RevisionListener } from '../src/revisions/revision-listener.js';
import { RevisionReader } from '../src/revisions/history/revision-reader.js';
import { RevisionRows } from './support/revision-sizes.js';
import { Prose } from './support/text.js';

const CALLER: Caller = { kind: 'token', id: null, name: 'bench', scopes: new Set(['*']) };
const CASES = [
  { bytes: 2_048, revisions: 100 },
  { bytes: 10_000, revisions: 100 },
  { bytes: 100_000, revisions: 1_000 },
] as const;

type Where = 'in one place' | 'in five places';

/** A body in which each edit changes five words. */
class Edited {
  private words: string[];

  constructor(
    private readonly prose: Prose,
    bytes: number,
    private readonly where: Where,
  ) {
    this.words = prose.body(bytes).split(' ');
  }

  next(): string {
    const fresh = this.prose.body(200).split(' ').slice(3, 8);
    const start = Math.floor(Math.random() * (this.words.length - 5));
    fresh.forEach((word, i) => {
      const at = this.where === 'in one place' ? start + i : Math.floor(Math.random() * this.words.length);
      this.words[at] = word;
    });
    return this.words.join(' ');
  }
}

interface Service {
  readonly type: CompiledType;
  readonly records: RecordsService;
  readonly rows: RevisionRows;
  readonly reader: RevisionReader;
}

async function write({ type, records }: Service, bytes: number, edits: number, where: Where) {
  const text = new Edited(new Prose(7), bytes, where);
  const { id } = await records.create(type, { title: 'Measured', body: text.next() }, CALLER);
  const started = performance.now();
  for (let n = 1; n < edits; n += 1) {
    await records.update(type, { body: text.next() }, { reference: String(id), caller: CALLER });
  }
  return { id, perSecond: (1_000 * (edits - 1)) / (performance.now() - started) };
}

async function readMs({ reader, rows }: Service, id: number): Promise<number> {
  const times = await rows.times(id);
  const started = performance.now();
  for (const ts of times) await reader.snapshot({ recordId: id }, ts);
  return (performance.now() - started) / times.length;
}

const folder = mkdtempSync(join(tmpdir(), 'cms-bench-'));
const settings = readSettings('test', { DATABASE_URL: `sqlite:${join(folder, 'cms.sqlite')}` });
const app = await createApp(settings, pino({ level: 'silent' }));
try {
  await app.init();
  // What is to be measured would be dropped meanwhile.
  await app
    .get(JobRunner, { strict: false })
    .queueOf(app.get(Retention, { strict: false }))
    .stop();
  const listener = app.get(RevisionListener, { strict: false });
  const service: Service = {
    type: await app.get(ContentTypesService, { strict: false }).require('post'),
    records: app.get(RecordsService, { strict: false }),
    rows: new RevisionRows(app.get(Reads, { strict: false })),
    reader: app.get(RevisionReader, { strict: false }),
  };
  const written = listener.written.bind(listener);
  process.stdout.write(`${new Date().toISOString()} Node ${process.version}, SQLite\n\n`);
  process.stdout.write(
    '| body | revisions | words changed | packed | rows on disk | read one | updates/s | without |\n',
  );
  process.stdout.write('| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n');
  for (const { bytes, revisions } of CASES) {
    for (const where of ['in one place', 'in five places'] as const) {
      const before = await service.rows.bytesOnDisk();
      const { id, perSecond } = await write(service, bytes, revisions, where);
      const onDisk = (await service.rows.bytesOnDisk()) - before;
      const packed = await service.rows.packedBytes(id);
      listener.written = () => Promise.resolve();
      const without = await write(service, bytes, Math.min(revisions, 200), where);
      listener.written = written;
      const figures = [`${(packed / 1_000).toFixed(0)} KB`, `${(onDisk / 1_000).toFixed(0)} KB`];
      const speed = [perSecond, without.perSecond].map((one) => one.toFixed(0));
      const cells = [bytes, revisions, where, ...figures, `${(await readMs(service, id)).toFixed(2)} ms`, ...speed];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  }
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
