import 'reflect-metadata';
import { createApp } from './app.setup.js';
import { createLogger } from './common/logging/logger.js';
import { readSettings } from './config/settings.js';
import { serve } from './serve.js';

/** Starts the service by the settings of the environment. */
export async function start(): Promise<void> {
  await serve(async () => {
    const settings = readSettings('production');
    const log = createLogger({ level: settings.logLevel, isForPeople: settings.mode === 'development' });
    return { app: await createApp(settings, log), settings, log };
  });
}
