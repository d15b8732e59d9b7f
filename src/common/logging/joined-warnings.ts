import type { Logger } from 'pino';

/** A warning: its name, and its cause. */
export interface Warning {
  readonly request_id: string;
  readonly error: string;
  readonly reason?: unknown;
}

interface Window {
  warning: Warning;
  message: string;
  count: number;
  readonly timer: NodeJS.Timeout;
}

const EVERY_MS = 1_000;
/** Further reasons and messages than so many at once share the line of their error. */
const MAX_KINDS = 64;

/** Joins equal warnings: the first is written at once, later ones in one line a second with their `count`. */
export class JoinedWarnings {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly log: Logger) {}

  warn(warning: Warning, message: string): void {
    const kind = this.kindOf(warning, message);
    const window = this.windows.get(kind);
    if (!window) {
      this.log.warn(warning, message);
      const timer = setInterval(() => {
        this.pass(kind);
      }, EVERY_MS).unref();
      this.windows.set(kind, { warning, message, count: 0, timer });
      return;
    }
    if (window.count === 0) Object.assign(window, { warning, message });
    window.count += 1;
  }

  close(): void {
    for (const [kind, window] of this.windows) {
      clearInterval(window.timer);
      this.windows.delete(kind);
      this.write(window);
    }
  }

  private kindOf({ error, reason }: Warning, message: string): string {
    const kind = JSON.stringify([error, message, reason]);
    return this.windows.has(kind) || this.windows.size < MAX_KINDS ? kind : error;
  }

  private pass(kind: string): void {
    const window = this.windows.get(kind);
    if (window && window.count > 0) {
      this.write(window);
      window.count = 0;
    } else {
      clearInterval(window?.timer);
      this.windows.delete(kind);
    }
  }

  private write({ warning, message, count }: Window): void {
    if (count > 0) this.log.warn({ ...warning, count }, message);
  }
}
