import type { Setup } from '../../functions/core/access/ports.ts'

/** The right to set up, for whoever knows the secret. */
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
