import type { Stored } from '../../core/ports/collection.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account } from '../../core/records/account.ts'
import { hashOf, matchesChallenge } from '../../core/sso/one-time.ts'

type Ports = Needs<'identityProviders' | 'signInSteps' | 'accounts'>

/**
 * Returns the account that signed in. Returns undefined if the code is not valid, the provider no
 * longer exists or the account is disabled.
 */
export async function redeemCode(
  body: { code: string; code_verifier?: string },
  ports: Ports,
): Promise<Stored<Account> | undefined> {
  const step = await ports.signInSteps.use(hashOf(body.code))
  if (step?.kind !== 'answered' || !matchesChallenge(step.challenge, body.code_verifier))
    return undefined
  const provider = await ports.identityProviders.find(step.providerId)
  const account = provider && (await ports.accounts.find(step.accountId))
  return account && !account.disabled ? account : undefined
}
