import type { Metrics } from '../common/metrics/metrics.js';
import { SilentMetrics } from '../common/metrics/silent-metrics.js';
import { packageInfo } from '../common/package-info.js';
import type { Settings } from '../config/settings.js';

/** The metrics that the settings ask for. Without them nothing of Prometheus is loaded. */
export async function metricsFor({ metricsPort, dataDir }: Settings): Promise<Metrics> {
  if (metricsPort === null) return new SilentMetrics();
  const { PrometheusMetrics } = await import('./prometheus-metrics.js');
  const { measureProcess } = await import('./process-metrics.js');
  const metrics = new PrometheusMetrics();
  measureProcess(metrics, dataDir, packageInfo().version);
  return metrics;
}
