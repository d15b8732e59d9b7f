type Reason =
  | 'backup_unreadable'
  | 'backup_unsound'
  | 'backup_of_other_version'
  | 'file_exists'
  | 'database_in_use'
  | 'database_not_empty'
  | 'database_of_other_version';

/** Why a backup or a restore is not done; nothing has been changed. */
export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
