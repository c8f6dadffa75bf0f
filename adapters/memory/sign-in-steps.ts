import type { Clock } from '../../functions/core/runtime.ts'
import type { SignInSteps } from '../../functions/core/sso/ports.ts'
import type { SignInStep } from '../../functions/core/sso/provider.ts'

/** Returns sign-in steps in memory. */
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
