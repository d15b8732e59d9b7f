import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/**
 * Writes a generated document as Prettier formats it. With `--check` among the arguments of the process it compares
 * instead, and has the process end with 1 where the file is another one.
 */
export async function writeDocument(file, markdown) {
  const note = '<!-- Written by `npm run docs`: change the source and run that. -->';
  const [title, ...rest] = markdown.split('\n');
  const text = await format([title, '', note, ...rest].join('\n'), { ...(await resolveConfig(file)), filepath: file });
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (isCurrent) return;
  if (process.argv.includes('--check')) {
    console.error(`${file} is out of date. Run: npm run docs`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, text);
  console.log(`${file} is written.`);
}
