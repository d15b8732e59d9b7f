import { cpuTime } from '../../../../test/support/cpu-time.js';
import { readOne } from '../../../../test/support/import-files.js';
import { readMarkdown } from './markdown.js';

describe('the first heading of a Markdown file without a title', () => {
  it('is found at once, however many blanks it has', async () => {
    const blanks = ' '.repeat(300_000);
    const began = cpuTime();

    await readOne(readMarkdown, 'a.md', `# ${blanks}x${blanks}y\n`);
    await readOne(readMarkdown, 'a.md', `#${' #'.repeat(150_000)}y\n`);

    expect(cpuTime() - began).toBeLessThan(20_000);
  });
});
