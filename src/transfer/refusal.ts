type Reason =
  | 'backup_unreadable'
  | 'backup_unsound'
  | 'backup_of_other_version'
  | 'file_exists'
  | 'output_unwritable'
  | 'database_in_use'
  | 'database_not_empty'
  | 'database_of_other_version';

/** Why something is not written or not restored. What was there is as it was. */
export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
