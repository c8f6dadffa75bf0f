import type { Setup } from '../../functions/core/ports.ts'

/** The right to set up, for whoever knows the secret; none without one. */
export function memorySetup(secret: string | undefined): Setup {
  let used = false
  return {
    async open() {
      return !used
    },
    async matches(presented) {
      return !used && secret !== undefined && presented === secret
    },
    async consume() {
      const won = !used
      used = true
      return won
    },
  }
}
