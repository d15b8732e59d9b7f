/** Holds work up until it is opened. */
export class Gate {
  readonly opened: Promise<void>;
  private resolve = (): void => undefined;

  constructor() {
    this.opened = new Promise((resolve) => (this.resolve = resolve));
  }

  open(): void {
    this.resolve();
  }
}
