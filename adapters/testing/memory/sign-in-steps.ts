import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { SignInSteps } from '../../../functions/core/ports/sign-in-steps.ts'
import type { AnsweredSignIn } from '../../../functions/core/records/identity-provider.ts'

/** Returns an in-memory store of sign-ins in progress. `used` has the hashes that were claimed. */
export function memorySignInSteps(clock: Clock): SignInSteps & { used: Set<string> } {
  const steps = new Map<string, { step: AnsweredSignIn; expiresAt: number }>()
  const used = new Set<string>()
  const key = randomBytes(32)
  return {
    used,
    seal(asked) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const content = Buffer.concat([cipher.update(JSON.stringify(asked)), cipher.final()])
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), content])
      return `css_${sealed.toString('base64url')}`
    },
    open(text) {
      const sealed = Buffer.from(text.slice(4), 'base64url')
      if (text !== `css_${sealed.toString('base64url')}`) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
        decipher.setAuthTag(sealed.subarray(12, 28))
        return JSON.parse(`${decipher.update(sealed.subarray(28))}${decipher.final()}`)
      } catch {
        return undefined
      }
    },
    async claim(hash) {
      if (used.has(hash)) return false
      used.add(hash)
      return true
    },
    async release(hash) {
      used.delete(hash)
    },
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
