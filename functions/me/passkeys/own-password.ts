import { passwordHashOf } from '../../core/access/user.ts'
import { conflict } from '../../core/errors.ts'
import type { Account } from '../../core/records/account.ts'

/** @throws 409 if an identity provider signs the account in, past which a passkey would lead */
export function requireOwnPassword(account: Account): void {
  if (passwordHashOf(account) !== null) return
  throw conflict('you sign in with an identity provider: add a passkey there')
}
