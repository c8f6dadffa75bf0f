import { broken } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Account, SecondFactor } from './account.ts'
import { afterCode } from './totp.ts'

/** What taking a code needs. */
export type CodePorts = Needs<'secondFactors' | 'clock'>

/**
 * Takes a code of an account's second factor, once and for all processes: true for the one who was first with it. An
 * account whose factor is missing takes none. `change` is written together with the use.
 */
export async function takeCode(
  { secondFactorId }: Pick<Account, 'secondFactorId'>,
  code: string,
  ports: CodePorts,
  change: Partial<SecondFactor> = {},
): Promise<boolean> {
  if (!secondFactorId) return false
  for (let tries = 0; tries < 20; tries += 1) {
    const factor = await ports.secondFactors.find(secondFactorId)
    const next = factor && afterCode(factor, code, ports.clock.now())
    if (!next) return false
    if (await ports.secondFactors.replace({ ...next, ...change })) return true
  }
  throw broken('the service is overloaded: try again in a moment')
}

/** The account without its second factor, whether that was on or being set up. */
export const withoutFactor = <A extends Account>(account: A): A => ({
  ...account,
  mfaEnabled: false,
  secondFactorId: null,
})
