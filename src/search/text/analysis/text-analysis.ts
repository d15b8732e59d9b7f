import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { documentTerms, type TextPart } from '../queries/document-text.js';

/** Shorter texts are analysed within a few milliseconds, which is about what a message to a thread and back costs. */
const LONG = 32_768;
/** A thread takes some 15 MB, and a tenth of a second of processor to start. */
const IDLE_MS = 10_000;

export function isLongText(parts: readonly TextPart[]): boolean {
  return parts.reduce((length, { text }) => length + text.length, 0) >= LONG;
}

/**
 * Analyses long texts in a thread of its own, one after the other: a text of a megabyte takes a quarter of a second.
 * The thread is started when it is first needed, and ends when it has had nothing to do for a while.
 */
export class TextAnalysis {
  private thread: Worker | undefined;
  /** Who waits for an answer, in the order of the questions. */
  private waiting: ((terms: string | null) => void)[] = [];
  private idle: NodeJS.Timeout | undefined;

  /** The same as `documentTerms`. A thread that dies is done without. */
  async termsOf(parts: readonly TextPart[]): Promise<string> {
    if (!isLongText(parts)) return documentTerms(parts);
    return (await this.ask(parts)) ?? documentTerms(parts);
  }

  /** Ends the thread; the next text starts another one. */
  async stop(): Promise<void> {
    await this.thread?.terminate();
  }

  private ask(parts: readonly TextPart[]): Promise<string | null> {
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    // As long as an answer is due the process does not end; a command on a file has nothing else that keeps it.
    thread.ref();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      thread.postMessage(parts);
    });
  }

  private start(): Worker {
    const thread = new Worker(join(import.meta.dirname, 'analysis-thread.js'), {
      // Options of this process are not for the thread.
      execArgv: [],
      name: 'analysis',
    });
    thread.on('message', (terms: string) => {
      this.waiting.shift()?.(terms);
      if (this.waiting.length === 0) this.rest(thread);
    });
    // Its end follows. Unheard, the error would end this process too.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      clearTimeout(this.idle);
      this.end(thread);
    });
    return thread;
  }

  private rest(thread: Worker): void {
    thread.unref();
    this.idle = setTimeout(() => {
      this.end(thread);
      void thread.terminate();
    }, IDLE_MS).unref();
  }

  private end(thread: Worker): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve(null);
  }
}

/** One for the whole process: it keeps nothing of what it was asked. */
export const textAnalysis = new TextAnalysis();
