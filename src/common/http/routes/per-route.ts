import type { ExecutionContext, Type } from '@nestjs/common';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Reads once for each route what its decorators say. By class as well as by handler: two classes may inherit one. */
export function perRoute<Fact>(
  read: (handler: Handler, controller: Type) => Fact,
): (context: ExecutionContext) => Fact {
  const values = new WeakMap<Type, Map<Handler, Fact>>();
  return (context) => {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofController = values.get(controller) ?? new Map<Handler, Fact>();
    values.set(controller, ofController);
    const fact = ofController.get(handler) ?? read(handler, controller);
    ofController.set(handler, fact);
    return fact;
  };
}
