import 'reflect-metadata';
import { createApp } from './app/app.setup.js';
import { requireDataDir } from './app/data-dir.js';
import { createLogger } from './common/logging/logger.js';
import { keepNewFilesPrivate, withoutRightsOfOthers } from './config/values/private-files.js';
import { readSettings, SettingsError, type Settings } from './config/settings.js';
import { prepareDemo, type Demo } from './demo/demo.js';
import { serve } from './app/serve.js';

function demoSettings(): Settings {
  const settings = readSettings('demo');
  if (settings.mode !== 'production') return settings;
  throw new SettingsError([
    'NODE_ENV is production. The demo makes a token that may do everything and prints it: start it without NODE_ENV.',
  ]);
}

let demo: Demo | undefined;

keepNewFilesPrivate();
const port = await serve(async () => {
  const settings = demoSettings();
  requireDataDir(settings);
  const log = createLogger({ level: settings.logLevel, isForPeople: true });
  for (const sentence of [...settings.warnings, ...withoutRightsOfOthers(settings)]) log.warn(sentence);
  const app = await createApp(settings, log);
  await app.init();
  demo = await prepareDemo(app, settings);
  if (demo.seeded) log.info(demo.seeded, 'seeded');
  return { app, settings, log };
});

if (port !== null && demo) process.stdout.write(demo.banner(port));
