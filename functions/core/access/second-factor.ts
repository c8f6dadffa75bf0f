import { overloaded } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, SecondFactor } from '../records/account.ts'
import { afterCode } from './totp.ts'

/** The ports that accepting a code needs. */
export type CodePorts = Needs<'secondFactors' | 'clock'>

/**
 * Accepts a code of an account's second factor and marks it as used, so that only one of several
 * concurrent calls gets true. Returns false if the code is wrong or the factor does not exist.
 *
 * @param change returns fields of the factor to write together with the use. It gets the factor as
 *   stored, and may throw to write nothing
 */
export async function consumeCode(
  { secondFactorId }: Pick<Account, 'secondFactorId'>,
  code: string,
  ports: CodePorts,
  change: (factor: SecondFactor) => Partial<SecondFactor> = () => ({}),
): Promise<boolean> {
  if (!secondFactorId) return false
  for (let tries = 0; tries < 20; tries += 1) {
    const factor = await ports.secondFactors.find(secondFactorId)
    const next = factor && afterCode(factor, code, ports.clock.now())
    if (!next) return false
    if (await ports.secondFactors.replace({ ...next, ...change(factor) })) return true
  }
  throw overloaded('the service is overloaded: try again in a moment')
}

/** Returns the account without its second factor, whether active or being set up. */
export const withoutFactor = <A extends Account>(account: A): A => ({
  ...account,
  mfaEnabled: false,
  secondFactorId: null,
})
