import { createHash, timingSafeEqual } from 'node:crypto'
import { must } from '../../compose/must.ts'
import type { Needs } from '../ports/ports.ts'
import { isAhead, skewMax } from '../time/clock-skew.ts'

/** Milliseconds within which an authenticator must sign a challenge. */
export const challengeLifetime = 5 * 60_000

/** What a challenge is for: a sign-in, or a new passkey of an account, in one of its sessions. */
export type ChallengePurpose =
  | { kind: 'sign-in' }
  | { kind: 'registration'; accountId: string; sessionId: string }

/** Bytes: the end in milliseconds since the epoch, random ones, and an HMAC of both. */
const [timeBytes, saltBytes, macBytes] = [6, 16, 32]
const headBytes = timeBytes + saltBytes

/**
 * Returns a new challenge, in base64url. It is not stored before it is used: strangers may begin
 * any number of sign-ins. A key of the installation shows that it was made here, for this purpose.
 */
export function makeChallenge(
  purpose: ChallengePurpose,
  ports: Needs<'browserSecrets' | 'clock' | 'random'>,
): string {
  const head = Buffer.alloc(headBytes)
  head.writeUIntBE(ports.clock.now() + challengeLifetime, 0, timeBytes)
  head.set(ports.random.bytes(saltBytes), timeBytes)
  const [mac] = macsOf(head, purpose, ports)
  return Buffer.concat([head, must(mac, 'a key of the installation')]).toString('base64url')
}

/** Returns whether a challenge was made here for this purpose, less than five minutes ago. */
export function isCurrentChallenge(
  challenge: string,
  purpose: ChallengePurpose,
  ports: Needs<'browserSecrets' | 'clock'>,
): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  // Other texts have the same bytes. Only one counts, so that a challenge is used once.
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== challenge)
    return false
  const mac = bytes.subarray(headBytes)
  const macs = macsOf(bytes.subarray(0, headBytes), purpose, ports)
  if (!macs.some((one) => one.length === mac.length && timingSafeEqual(one, mac))) return false
  const [end, now] = [endOf(bytes), ports.clock.now()]
  return now < end && !isAhead(end - challengeLifetime, now)
}

/**
 * Marks a challenge as used. Returns false if it is already, so that only one of several concurrent
 * calls gets true. Called once the signature is known to be right: strangers leave no record.
 */
export function claimChallenge(
  challenge: string,
  { signInSteps }: Needs<'signInSteps'>,
): Promise<boolean> {
  const hash = createHash('sha256').update(`passkey challenge\n${challenge}`).digest('hex')
  return signInSteps.claim(hash, endOf(Buffer.from(challenge, 'base64url')) + skewMax)
}

const endOf = (bytes: Buffer): number => bytes.readUIntBE(0, timeBytes)

function macsOf(
  head: Uint8Array,
  purpose: ChallengePurpose,
  { browserSecrets }: Needs<'browserSecrets'>,
): Uint8Array[] {
  const use =
    purpose.kind === 'sign-in'
      ? purpose.kind
      : `${purpose.kind} ${purpose.accountId} ${purpose.sessionId}`
  return browserSecrets.derive(`passkey challenge\n${use}\n${Buffer.from(head).toString('hex')}`)
}
