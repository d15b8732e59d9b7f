import { Injectable } from '@nestjs/common';

/** The only source of the current time, so that tests can stop it. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number {
    return Date.now();
  }
}
