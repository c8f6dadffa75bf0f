import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { SignInSteps } from '../../../functions/core/ports/sign-in-steps.ts'
import type { SignInStep } from '../../../functions/core/records/identity-provider.ts'

/** Returns an in-memory store of sign-in steps. */
export function memorySignInSteps(clock: Clock): SignInSteps {
  const steps = new Map<string, { step: SignInStep; expiresAt: number }>()
  return {
    async create(hash, step, expiresAt) {
      steps.set(hash, { step: structuredClone(step), expiresAt })
    },
    async use(hash) {
      const found = steps.get(hash)
      if (!found || found.expiresAt <= clock.now()) return undefined
      steps.delete(hash)
      return found.step
    },
  }
}
