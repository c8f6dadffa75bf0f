import type { z } from 'zod'
import {
  type AttemptPorts,
  accountAttempts,
  countedAttempt,
  strangerAttempts,
} from '../../core/access/attempt.ts'
import type { PasskeyAssertion } from '../../core/access/passkey-fields.ts'
import { consumePasskey, type PasskeyPorts } from '../../core/access/passkeys.ts'
import { requireRelyingParty } from '../../core/access/relying-party.ts'
import { accountOfHandle } from '../../core/access/user-handle.ts'
import { unauthenticated } from '../../core/errors.ts'
import type { Stored } from '../../core/ports/collection.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account } from '../../core/records/account.ts'
import type { AuditNote } from '../../kit/audit-row.ts'
import { requireChallenge } from './require-challenge.ts'

type Ports = AttemptPorts & PasskeyPorts & Needs<'accounts' | 'browserSecrets' | 'site'>

/**
 * Returns what `begin` makes of the account that a passkey belongs to, as one counted attempt. The
 * authenticator has verified its user, so nothing else is asked for.
 *
 * @param note adds the account to the audit row
 * @param begin starts a session; returns undefined if the passkey is no longer valid
 * @throws 401 with one message for everything that is wrong, 423 while the account is locked
 * @throws 409 if the address of the service allows no passkeys
 */
export async function logInByPasskey<T>(
  proof: z.output<typeof PasskeyAssertion>,
  note: (more: AuditNote) => void,
  ports: Ports,
  begin: (account: Stored<Account>) => Promise<T | undefined>,
): Promise<{ account: Account; begun: T }> {
  const party = requireRelyingParty(ports.site)
  requireChallenge(proof, ports)
  const holder = await accountOfHandle(proof.user_handle, ports)
  note({ user: holder })
  const key = holder ? accountAttempts(holder.username) : strangerAttempts(proof.user_handle, ports)
  let detail: string | undefined
  const verify = async () => {
    // Read again: the attempt may have waited for others.
    const found = await accountOfHandle(proof.user_handle, ports)
    const account = found?.disabled ? undefined : found
    const isRight = await consumePasskey(account, proof, party, ports, (reason) => {
      detail = reason
    })
    return isRight ? account : undefined
  }
  const account = await countedAttempt(key, verify, ports)
  const begun = account && (await begin(account))
  if (!begun) {
    throw unauthenticated('the passkey is not known or not valid here', detail ? { detail } : {})
  }
  return { account, begun }
}
