import { Tracing } from './tracing.js';

/** Records nothing. */
export class SilentTracing extends Tracing {
  readonly isOn = false;

  begin(): null {
    return null;
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
