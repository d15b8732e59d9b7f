import { PortHost } from '../../common/port-host.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import type { Position } from './type-usage.port.js';

/** A taxonomy that a type no longer has. */
export interface RemovedTaxonomy {
  readonly typeId: number;
  readonly taxonomy: string;
}

/** Port to the taxonomies, which types name without knowing them. */
export interface KnownTaxonomies {
  /** The names of all taxonomies. */
  names(): Promise<readonly string[]>;
  /** Locks taxonomies against deletion until the unit of work ends. Returns the names that no taxonomy has. */
  hold(manager: EntityManager, names: readonly string[]): Promise<readonly string[]>;
  /**
   * Takes the terms of a taxonomy that a type no longer has away from its next records; each is an ordinary write with a
   * revision. Outside of any unit of work, and repeatable.
   *
   * @returns the position to go on behind; `null`: no record of the type holds such a term any more
   */
  withdraw(left: RemovedTaxonomy, after: Position | null, caller: Caller): Promise<Position | null>;
}

@Injectable()
export class KnownTaxonomiesHost extends PortHost<KnownTaxonomies> {}
