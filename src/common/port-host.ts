/** Hands out the implementation of a port, which registers itself at start; as `HttpAdapterHost` of Nest does. */
export abstract class PortHost<Port> {
  private port: Port | undefined;

  use(port: Port): void {
    this.port = port;
  }

  get(): Port {
    if (!this.port) throw new Error(`Nothing has registered itself with ${this.constructor.name}.`);
    return this.port;
  }
}
