import type { AlertDelivery, DeliveryOutcome, SendResult } from '../records/alert-delivery.ts'

/** Attempts before a delivery is given up. */
export const triesMax = 8

const firstPause = 5000
/** The longest time between two attempts, and that a receiver may ask to wait. Milliseconds. */
export const longestPause = 3_600_000

/**
 * Returns the outcome of an attempt. Failed deliveries are retried after 5 s, 20 s, 80 s and so on,
 * up to an hour, with a jitter of a quarter, and not before the receiver allows. `chance` (0 to 1)
 * sets the jitter.
 */
export function outcomeOf(
  { tries }: Pick<AlertDelivery, 'tries'>,
  result: SendResult,
  { now, chance }: { now: number; chance: number },
): DeliveryOutcome {
  if (result.ok) return { state: 'delivered' }
  const { error } = result
  if (tries >= triesMax || result.final) return { state: 'dead', error }
  const pause = Math.min(firstPause * 4 ** (tries - 1), longestPause) * (0.75 + chance / 2)
  const requestedPause = Math.min(result.retryAfter ?? 0, longestPause)
  return { state: 'pending', at: now + Math.round(Math.max(pause, requestedPause)), error }
}

/**
 * Returns a `Retry-After` header (RFC 9110, 10.2.3) in milliseconds from now; null if it is missing
 * or invalid.
 */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
