import { createHash } from 'node:crypto'
import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import type { SecondFactor } from '../records/account.ts'

/** The period of a code, in seconds (RFC 6238, section 5.2). */
const period = 30
/** One hour of steps. If the clock goes back by less than that, used codes stay invalid. */
const aheadMax = 120
/** The number of recovery codes, and of base32 digits (5 bits each) in one. */
const recoveryCodes = 10
const recoveryDigits = 20

const base32 = (bytes: Uint8Array) => new ScureBase32Plugin().encode(bytes, { padding: false })

/** Returns a seed of 20 random bytes in the form that users type into their app. */
export const makeSeed = (random: Uint8Array): string => base32(random)

/** Returns the seed as an `otpauth:` URL, which apps usually read from a QR code. */
export const otpauthUrl = (username: string, secret: string): string =>
  generateURI({ issuer: 'Container Stacks', label: username, secret })

/** Returns ten recovery codes made of `recoveryBytes` random bytes. */
export function makeRecoveryCodes(random: Uint8Array): string[] {
  const each = recoveryBytes / recoveryCodes
  return Array.from({ length: recoveryCodes }, (_, at) =>
    base32(random.subarray(at * each, (at + 1) * each)).slice(0, recoveryDigits),
  )
}

/** The number of random bytes that all recovery codes need. */
export const recoveryBytes = recoveryCodes * 13

/**
 * Returns the stored form of a recovery code. The code is as random as a key, so a fast hash
 * suffices.
 */
export const recoveryHash = (code: string): string =>
  createHash('sha256').update(code).digest('hex')

/**
 * Returns the factor after it accepted a code, or undefined if the code is not valid. Valid are an
 * unused six-digit code of the current or previous 30 s, and an unused recovery code. Blanks and
 * hyphens are ignored.
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
  // A step this far ahead was recorded while the clock was ahead. Without this, all codes would be
  // rejected until that time.
  const lastStep = factor.lastStep > step + aheadMax ? 0 : factor.lastStep
  // The library throws if the last step is in the future.
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
