import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MISSING = 'ERR_MODULE_NOT_FOUND';

/** The sources name each other as they will be called when they are built. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== MISSING || !specifier.endsWith('.js')) throw error;
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { transform } = await import('@swc/core');
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    module: { type: 'es6' },
    sourceMaps: 'inline',
    jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true } },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
