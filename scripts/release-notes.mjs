/**
 * Prints what the changelog says of a release, for its page: `npm run -s release:notes -- 0.2.0`; without a version
 * the newest heading. Ends with 1 if there is no such heading, or if it does not begin with what to do.
 */
import { readFileSync } from 'node:fs';

const FIRST = '### What to do';
const wanted = process.argv[2];
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
const section = wanted === undefined ? sections[0] : sections.find((text) => text.split('\n', 1)[0] === wanted);
const [title, ...lines] = (section ?? '').split('\n');
const notes = lines.join('\n').trim();

if (section === undefined) fail(`CHANGELOG.md has no heading "${wanted}".`);
else if (!notes.startsWith(FIRST)) fail(`"${title}" in CHANGELOG.md has to begin with "${FIRST}".`);
else console.log(notes);

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
