import type { AlertDelivery, DeliveryOutcome } from './delivery.ts'

/** What came of sending something. */
export type SendResult =
  | { ok: true; status: number | null }
  | {
      ok: false
      /** The status of HTTP or SMTP, where there was one. */
      status: number | null
      /** In a few words. Nothing of what the receiver wrote: it could be anything. */
      error: string
      /** How long the receiver wants to be left alone. Milliseconds, or null. */
      retryAfter: number | null
      /** Sending it once more would do harm. */
      final?: boolean
    }

/** How often something is sent before it is given up. */
export const triesMax = 8

const firstPause = 5000
const longestPause = 3_600_000

/**
 * What becomes of a delivery: sent again after 5 s, 20 s, 80 s and so on up to an hour, a quarter more or less, and no sooner
 * than the receiver wants. `chance` from 0 to 1.
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
  const wanted = Math.min(result.retryAfter ?? 0, longestPause)
  return { state: 'pending', at: now + Math.round(Math.max(pause, wanted)), error }
}

/** A `Retry-After` (RFC 9110, 10.2.3) in milliseconds from now; null for none or one that is none. */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
