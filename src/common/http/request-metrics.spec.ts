import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { Registry } from 'prom-client';
import { requestMetrics } from './request-metrics.js';

describe('Metrics of requests', () => {
  it('count routes apart as long as there are few, and then together', async () => {
    const registry = new Registry();
    const measure = requestMetrics(registry);
    const send = (path: string): void => {
      const response = Object.assign(new EventEmitter(), { statusCode: 200 });
      measure({ method: 'GET', route: { path } } as Request, response as unknown as Response, () => undefined);
      response.emit('close');
    };

    for (let n = 0; n < 1_000; n += 1) send(`/r${String(n)}`);
    send('/r0');

    const counts = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counts).toHaveLength(241);
    expect(counts).toContain('http_request_duration_seconds_count{method="GET",route="/r0",status="2xx"} 2');
    expect(counts).toContain('http_request_duration_seconds_count{method="other",route="other",status="2xx"} 760');
  });
});
