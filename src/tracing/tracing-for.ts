import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { SettingsError, type Settings } from '../config/settings.js';
import { provideVariables } from '../config/tracing-settings.js';
import type * as otel from './otel-tracing.js';

/** Codes of Node.js for a package that is not installed: one for `require`, the other for `import`. */
const MISSING: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

@Module({})
class TracingModule {}

/**
 * Begins the traces of the settings; without them nothing of the SDK of OpenTelemetry is loaded.
 * @returns the module that sends the last of them when requests and jobs are over
 * @throws {SettingsError} they ask for traces, and the packages for that are not installed
 */
export async function tracingFor({ tracing }: Settings, log: Logger): Promise<readonly DynamicModule[]> {
  if (tracing === null) return [];
  const { OtelTracing } = await loaded();
  provideVariables(tracing);
  const provider = { provide: OtelTracing, useValue: new OtelTracing(tracing.url, log) };
  return [{ module: TracingModule, global: true, providers: [provider] }];
}

async function loaded(): Promise<typeof otel> {
  try {
    return await import('./otel-tracing.js');
  } catch (error) {
    if (!MISSING.includes((error as { code?: unknown }).code)) throw error;
    throw new SettingsError([
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages for traces are not installed. Use an image that is built with --build-arg WITH_TRACING=1, or remove the setting.',
    ]);
  }
}
