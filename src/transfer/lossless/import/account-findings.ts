import { DEFAULT_ROLE, type Role } from '../../../users/roles/roles.js';
import type { ImportFindings } from '../../import/import-findings.js';

/** More accounts above viewers are counted and not named. */
const MAX_NAMED = 1_000;
const NOT_WHOLE = 'The file has no last line, so its users get no accounts: what they wrote bears their names.';
const ACCOUNTS = 'Users get accounts without a password, with the roles of the file.';
const NO_ACCOUNTS =
  'Users get accounts without a password, as viewers, and disabled. With --with-accounts they get the roles of the file and can sign in.';

/** Reports what becomes of the accounts of a file. */
export class AccountFindings {
  private named = 0;

  constructor(
    private readonly findings: ImportFindings,
    private readonly withAccounts: boolean,
  ) {}

  /** The file is not whole, so its users get none. */
  withheld(): void {
    this.findings.change(NOT_WHOLE);
  }

  /** Roles above viewer are named one by one: they are power over the content. */
  made(email: string, role: Role): void {
    const { withAccounts } = this;
    this.findings.change(withAccounts ? ACCOUNTS : NO_ACCOUNTS);
    if (role === DEFAULT_ROLE) return;
    this.named += 1;
    if (this.named > MAX_NAMED) this.findings.change(`More than ${MAX_NAMED} users have a role above ${DEFAULT_ROLE}.`);
    else if (withAccounts) this.findings.change(`${email} gets the role ${role}.`);
    else this.findings.change(`${email} has the role ${role} in the file, and not here.`);
  }
}
