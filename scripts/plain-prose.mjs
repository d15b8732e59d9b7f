/**
 * Words that make a text hard to read, for texts that people read: messages, pages, mails, help, documents.
 * `node scripts/plain-prose.mjs <file.md> …` names those in documents, and ends with 1 if there are any.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Words that are found, and words to write instead. */
const PATTERNS = [
  [/(?:^|[.;:!?] )where\b(?! to\b)[^.;:?|]*, [^.;:?|]*/im, '"if" or "when" for a condition'],
  [/\b(?:only|also|except|even|unless|but|absent|missing) where\b/i, '"if" or "when" for a condition'],
  [/\b(?:whoever|whomever)\b/i, '"anybody who", or a noun'],
  [/\b(?:anew|by and by|in the place of one)\b/i, '"again", "over time", "instead of one"'],
  [/, of which (?:the|some|one|each)\b/i, 'a sentence of its own'],
  [/\bgood (?:once|for \d|for one time)\b/i, '"works once", "works for 10 minutes"'],
  [/\b(?:hears? 304|lets? go of|is told of|speaks? for (?:a|the) mailbox)\b/i, 'the word for what a program does'],
];

/** The first such words of a text, with what to write; `undefined`: there are none. */
export function hardWords(text) {
  for (const [pattern, better] of PATTERNS) {
    const found = pattern.exec(text)?.[0].trim();
    if (found) return { found, better };
  }
  return undefined;
}

/** The paragraphs of a document, without code, as far as they are prose. */
function paragraphsOf(markdown) {
  const prose = markdown
    .replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, 'code');
  return prose.split('\n').map((text, index) => ({ text: text.replace(/^[\s>*-]+|\*\*/g, ''), line: index + 1 }));
}

function main(files) {
  const faults = files.flatMap((file) =>
    paragraphsOf(readFileSync(file, 'utf8')).flatMap(({ text, line }) => {
      const hard = hardWords(text);
      return hard ? [`${file}:${line}: "${hard.found}": write ${hard.better}`] : [];
    }),
  );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
