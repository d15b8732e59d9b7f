import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { readGauge } from '../common/metrics/read-gauge.js';
import { nearestFolder } from '../common/nearest-folder.js';
import { packageInfo } from '../common/package-info.js';
import type { Settings } from '../config/settings.js';

/** The metrics of an application. Without a port to read them at, the process is not measured. */
export function registryFor({ metricsPort, dataDir }: Settings): Registry {
  const registry = new Registry();
  if (metricsPort === null) return registry;
  collectDefaultMetrics({ register: registry });
  measureProcess(registry, dataDir, packageInfo().version);
  return registry;
}

/** Measures the process: its version, and the space of its disk. @param dataDir may be missing */
export function measureProcess(registry: Registry, dataDir: string, version: string): void {
  const registers = [registry];
  readGauge(
    { name: 'cms_build_info', help: 'Which version runs; always 1.', labelNames: ['version', 'node'], registers },
    () => [{ labels: { version, node: process.versions.node }, value: 1 }],
  );
  readGauge({ name: 'cms_data_dir_free_bytes', help: 'Room on the disk of DATA_DIR.', registers }, async () => {
    const { bavail, bsize } = await statfs(nearestFolder(dataDir));
    return bavail * bsize;
  });
  readGauge({ name: 'cms_data_dir_size_bytes', help: 'Size of the disk of DATA_DIR.', registers }, async () => {
    const { blocks, bsize } = await statfs(nearestFolder(dataDir));
    return blocks * bsize;
  });
}
