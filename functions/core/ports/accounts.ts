import type { Account } from '../records/account.ts'
import type { Collection, Stored } from './collection.ts'

export interface Accounts extends Collection<Account> {
  /** Finds an account by the normal form of its user name (see `normalName`). */
  findByUsername(normalName: string): Promise<Stored<Account> | undefined>
  /** Finds an account by issuer and subject, which are unique to it. */
  findByIdentity(identity: {
    issuer: string
    subject: string
  }): Promise<Stored<Account> | undefined>
  /** Returns whether any account exists. */
  any(): Promise<boolean>
}
