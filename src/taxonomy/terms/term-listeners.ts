import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Port for what is kept about terms elsewhere, such as a search index of their names. */
export interface TermListener {
  /** The name or the slug of these terms has changed, or they are gone. Runs inside the unit of work that did it. */
  changed(manager: EntityManager, termIds: readonly number[]): Promise<void>;
}

/** Listeners register here at start (`onModuleInit`) and are called in the order of registration. */
@Injectable()
export class TermListeners implements TermListener {
  private readonly listeners: TermListener[] = [];

  add(listener: TermListener): void {
    this.listeners.push(listener);
  }

  async changed(manager: EntityManager, termIds: readonly number[]): Promise<void> {
    for (const listener of this.listeners) await listener.changed(manager, termIds);
  }
}
