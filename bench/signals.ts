import { readById } from './support/cases.js';
import { Collector } from './support/collector.js';
import { compare, HEADING, type Side } from './support/compare.js';
import { POSTS, ROUNDS, SECONDS } from './support/options.js';
import { removeOthers, seededPosts } from './support/posts.js';
import { pinClient, ServiceProcess } from './support/service.js';

/** Costs of a read with metrics and traces, and without them. */
pinClient();
const posts = await seededPosts();
await removeOthers(posts);
const start = (extra: Record<string, string>): Promise<ServiceProcess> =>
  ServiceProcess.start('src/main.js', [], { LOG_LEVEL: 'info', ...extra });
const side = (title: string, service: ServiceProcess): Side => ({ title, service, work: readById(posts) });

process.stdout.write(`${new Date().toISOString()} Node ${process.version}, ${POSTS} posts, `);
process.stdout.write(`${ROUNDS} rounds of ${SECONDS} s each\n${HEADING}`);
const plain = await start({});
const again = await start({});
const measured = await start({ METRICS_PORT: '0' });
await compare(side('read by id', plain), side('the same in another process', again));
const collector = await Collector.start();
const traced = (share: string): Promise<ServiceProcess> =>
  start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: share });
const few = await traced('0.01');
const all = await traced('1');
await compare(side('read by id', plain), side('metrics on', measured));
await compare(side('read by id', plain), side('traces on, 1 of 100 recorded', few));
await compare(side('read by id', plain), side('traces on, all recorded', all));
process.stdout.write(`\nThe collector got ${collector.bytes} bytes in ${collector.batches} batches.\n`);
for (const service of [plain, again, measured, few, all]) await service.stop();
collector.stop();
