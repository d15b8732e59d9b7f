import { statfs } from 'node:fs/promises';
import { Metrics, single } from '../common/metrics/metrics.js';
import { packageInfo } from '../common/package-info.js';
import type { Settings } from '../config/settings.js';
import { nearestFolder } from '../common/nearest-folder.js';

/** The metrics that the settings ask for. Without them nothing of Prometheus is loaded. */
export async function metricsFor({ metricsPort, dataDir }: Settings): Promise<Metrics> {
  if (metricsPort === null) return new Metrics();
  const library = await import('prom-client');
  const metrics = new Metrics(library);
  measureProcess(metrics, dataDir, packageInfo().version);
  return metrics;
}

/** Metrics of the process: its version, and the space of its disk. @param dataDir may be missing */
export function measureProcess(metrics: Metrics, dataDir: string, version: string): void {
  metrics.gauge<Record<'version' | 'node', string>>(
    { name: 'cms_build_info', help: 'Which version runs; always 1.', labels: ['version', 'node'] },
    () => [{ labels: { version, node: process.versions.node }, value: 1 }],
  );
  metrics.gauge({ name: 'cms_data_dir_free_bytes', help: 'Room on the disk of DATA_DIR.', labels: [] }, async () => {
    const { bavail, bsize } = await statfs(nearestFolder(dataDir));
    return single(bavail * bsize);
  });
  metrics.gauge({ name: 'cms_data_dir_size_bytes', help: 'Size of the disk of DATA_DIR.', labels: [] }, async () => {
    const { blocks, bsize } = await statfs(nearestFolder(dataDir));
    return single(blocks * bsize);
  });
}
