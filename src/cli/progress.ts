import { SingleBar } from 'cli-progress';

const BARS_PER_SECOND = 10;
const LINE_EVERY_MS = 2_000;

export async function withProgress<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = new Progress();
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** Shows the progress of long work: a bar on a terminal, now and then a line where there is none. */
export class Progress {
  private bar: SingleBar | undefined;
  private label = '';
  private total = 0;
  private done = 0;
  private saidAt = 0;

  /** @param stream not standard output, which the outcome has to itself */
  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** @param total 0: not known */
  start(total: number, label: string): void {
    this.label = label;
    this.total = total;
    this.done = 0;
    this.saidAt = performance.now();
    if (this.stream.isTTY) this.bar = this.startBar();
  }

  advance(count = 1): void {
    this.done += count;
    // What grows while it is worked on has more in the end than was counted at the start.
    if (this.total > 0) this.total = Math.max(this.total, this.done);
    if (this.bar) {
      this.bar.setTotal(this.total);
      this.bar.update(this.done);
    } else if (performance.now() - this.saidAt >= LINE_EVERY_MS) this.say();
  }

  stop(): void {
    if (this.bar) this.bar.stop();
    else if (this.label !== '') this.say();
    this.bar = undefined;
    this.label = '';
  }

  private startBar(): SingleBar {
    const scale = this.total > 0 ? ' {bar} {percentage} % · {value}/{total} · {eta_formatted} left' : ' {value}';
    const bar = new SingleBar({
      format: `{label}${scale}`,
      stream: this.stream,
      fps: BARS_PER_SECOND,
      hideCursor: true,
      barCompleteChar: '█',
      barIncompleteChar: '░',
    });
    bar.start(this.total, 0, { label: this.label });
    return bar;
  }

  private say(): void {
    this.saidAt = performance.now();
    const of = this.total > 0 ? ` of ${this.total} (${Math.floor((this.done / this.total) * 100)} %)` : '';
    this.stream.write(`${this.label}: ${this.done}${of}\n`);
  }
}
