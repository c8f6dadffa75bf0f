import { isCurrentChallenge } from '../../core/access/passkey-challenge.ts'
import { challengeOf } from '../../core/access/passkey-proof.ts'
import { requireRelyingParty } from '../../core/access/relying-party.ts'
import { unauthenticated } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'

/**
 * Checks that the challenge of a sign-in is one of ours. The answer depends only on the request, so
 * it is no attempt that counts.
 *
 * @throws 401 if it is unknown or expired
 * @throws 409 if the address of the service allows no passkeys
 */
export function requireChallenge(
  proof: { client_data: string },
  ports: Needs<'browserSecrets' | 'clock' | 'site'>,
): void {
  requireRelyingParty(ports.site)
  if (isCurrentChallenge(challengeOf(proof), { kind: 'sign-in' }, ports)) return
  throw unauthenticated('this sign-in with a passkey is unknown or has expired: start again')
}
