import { Progress } from './progress.js';

function writtenBy(isTTY: boolean, work: (progress: Progress) => void): string {
  let written = '';
  const stream = {
    isTTY,
    columns: 80,
    write: (text: string) => {
      written += text;
      return true;
    },
    on: () => stream,
  };
  work(new Progress(stream as unknown as NodeJS.WriteStream));
  return written;
}

describe('Progress without a terminal', () => {
  it('says at the end how many there were', () => {
    const written = writtenBy(false, (progress) => {
      progress.start(10, 'Indexing');
      progress.advance(4);
      progress.advance(6);
      progress.stop();
    });

    expect(written).toBe('Indexing: 10 of 10 (100 %)\n');
  });

  it('says nothing of an unknown total', () => {
    const written = writtenBy(false, (progress) => {
      progress.start(0, 'Reading');
      progress.advance(3);
      progress.stop();
    });

    expect(written).toBe('Reading: 3\n');
  });

  it('lets the total grow when there was more to do', () => {
    const written = writtenBy(false, (progress) => {
      progress.start(2, 'Indexing');
      progress.advance(3);
      progress.stop();
    });

    expect(written).toBe('Indexing: 3 of 3 (100 %)\n');
  });

  it('stops once, however often it is stopped', () => {
    const written = writtenBy(false, (progress) => {
      progress.start(1, 'Indexing');
      progress.stop();
      progress.stop();
    });

    expect(written.match(/\n/g)).toHaveLength(1);
  });
});

describe('Progress on a terminal', () => {
  it('draws a bar with the label', () => {
    const written = writtenBy(true, (progress) => {
      progress.start(10, 'Indexing');
      progress.advance(5);
      progress.stop();
    });

    expect(written).toContain('Indexing');
    expect(written).toContain('5/10');
  });
});
