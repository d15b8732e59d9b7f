import 'reflect-metadata';
import { createApp } from './app.setup.js';
import { requireDataDir } from './data-dir.js';
import { createLogger } from '../common/logging/logger.js';
import { keepNewFilesPrivate, withoutRightsOfOthers } from '../config/values/private-files.js';
import { readSettings } from '../config/settings.js';
import { serve } from './serve.js';

export async function start(): Promise<void> {
  keepNewFilesPrivate();
  await serve(async () => {
    const settings = readSettings('production');
    requireDataDir(settings);
    const log = createLogger({ level: settings.logLevel, isForPeople: settings.mode === 'development' });
    for (const sentence of [...settings.warnings, ...withoutRightsOfOthers(settings)]) log.warn(sentence);
    return { app: await createApp(settings, log), settings, log };
  });
}
