import { AbstractLogger } from 'typeorm';

/** TypeORM prints slow queries with their values even where logging is off; what fails reaches our own log anyway. */
export class QuietLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing: values may be secrets, and lines of text do not belong into a log of JSON.
  }
}
