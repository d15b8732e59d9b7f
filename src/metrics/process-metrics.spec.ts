import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { metricsOf } from '../../test/support/metric-text.js';
import { measureProcess } from './metrics-for.js';

describe('The metrics of the disk', () => {
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'cms-metrics-'))));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['DATA_DIR', '.'],
    ['the place of DATA_DIR, as long as nothing was written to it', 'not/there/yet'],
  ])('are those of %s', async (_, dataDir) => {
    const registry = new Registry();
    measureProcess(registry, join(folder, dataDir), '1.0.0');

    const found = metricsOf(await registry.metrics()).filter(({ name }) => name.startsWith('cms_data_dir_'));

    expect(found.map(({ name }) => name)).toEqual(['cms_data_dir_free_bytes', 'cms_data_dir_size_bytes']);
    for (const { value } of found) expect(value).toBeGreaterThan(0);
  });
});
