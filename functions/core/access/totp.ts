import { createHash } from 'node:crypto'
import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import type { SecondFactor } from './account.ts'

/** How long a code is shown (RFC 6238, section 5.2). Seconds. */
const period = 30
/** An hour of steps. A shorter way back of the clock makes no used code good again. */
const aheadMax = 120
/** How many recovery codes there are, and of how many base32 digits (5 bits each). */
const recoveryCodes = 10
const recoveryDigits = 20

const base32 = (bytes: Uint8Array) => new ScureBase32Plugin().encode(bytes, { padding: false })

/** A seed of 20 random bytes, as people type it into their app. */
export const makeSeed = (random: Uint8Array): string => base32(random)

/** The seed as a link that apps read, usually as a QR code. */
export const otpauthUrl = (username: string, secret: string): string =>
  generateURI({ issuer: 'Container Stacks', label: username, secret })

/** Ten recovery codes of `recoveryBytes` random bytes. */
export function makeRecoveryCodes(random: Uint8Array): string[] {
  const each = recoveryBytes / recoveryCodes
  return Array.from({ length: recoveryCodes }, (_, at) =>
    base32(random.subarray(at * each, (at + 1) * each)).slice(0, recoveryDigits),
  )
}

/** The random bytes that all recovery codes take. */
export const recoveryBytes = recoveryCodes * 13

/** What is kept of a recovery code. It is as random as a key, so a fast hash will do. */
export const recoveryHash = (code: string): string =>
  createHash('sha256').update(code).digest('hex')

/**
 * The factor after a code was taken: six digits of this half minute or the one before that were not taken yet, or a
 * recovery code that is left. Nothing when the code is not good, whatever text it is. Blanks and hyphens count for nothing.
 */
export function afterCode<F extends SecondFactor>(
  factor: F,
  code: string,
  now: number,
): F | undefined {
  const plain = code.replace(/[\s-]/g, '').toUpperCase()
  if (/^[0-9]{6}$/.test(plain)) return afterDigits(factor, plain, now)
  if (!/^[A-Z2-7]{20}$/.test(plain)) return undefined
  const hash = recoveryHash(plain)
  if (!factor.recoveryHashes.includes(hash)) return undefined
  return { ...factor, recoveryHashes: factor.recoveryHashes.filter((one) => one !== hash) }
}

function afterDigits<F extends SecondFactor>(factor: F, token: string, now: number): F | undefined {
  const epoch = Math.floor(now / 1000)
  const step = Math.floor(epoch / period)
  // A step this far ahead was taken while the clock was ahead: codes must not wait for that time.
  const lastStep = factor.lastStep > step + aheadMax ? 0 : factor.lastStep
  // The library throws for a last step that is still to come.
  if (lastStep >= step) return undefined
  const result = verifySync({
    secret: factor.secret,
    token,
    epoch,
    period,
    epochTolerance: [period, 0],
    afterTimeStep: lastStep,
  })
  return result.valid && 'timeStep' in result
    ? { ...factor, lastStep: result.timeStep as number }
    : undefined
}
