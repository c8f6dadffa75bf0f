import type { Setup } from '../../../functions/core/ports/setup.ts'

/** Returns an in-memory set-up that this secret opens. */
export function memorySetup(secret: string): Setup {
  let used = false
  return {
    async open() {
      return !used
    },
    async matches(presented) {
      return !used && presented === secret
    },
    async consume() {
      const won = !used
      used = true
      return won
    },
  }
}
