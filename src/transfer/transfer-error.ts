type Reason =
  | 'backup_unreadable'
  | 'backup_unsound'
  | 'backup_of_other_version'
  | 'damaged_row'
  | 'file_exists'
  | 'output_unwritable'
  | 'database_in_use'
  | 'database_not_empty'
  | 'database_of_other_version';

/** A file is not written, or a backup not restored. The file or database that was there is unchanged. */
export class TransferError extends Error {
  /** The things that it is about, for programs. */
  readonly details: readonly unknown[] | undefined;

  constructor(
    readonly reason: Reason,
    message: string,
    { details, ...options }: ErrorOptions & { readonly details?: readonly unknown[] } = {},
  ) {
    super(message, options);
    this.details = details;
  }
}
