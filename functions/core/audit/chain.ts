import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditBlock, AuditHead, AuditLink } from '../records/audit-chain.ts'
import type { AuditRow } from '../records/audit-row.ts'
import { type KeyRing, keyOf } from '../records/keys.ts'

/** The end of an empty chain. */
export const chainStart: AuditHead = { seq: 0, mac: '', latest: 0 }

/** Links rows to the end of the chain, in order. */
export function linkRows(
  rows: readonly AuditRow[],
  head: AuditHead,
  ring: KeyRing,
): { block: AuditBlock; head: AuditHead } {
  const key = ring.current
  const links: AuditLink[] = []
  let end = head
  for (const row of rows) {
    const place = { seq: end.seq + 1, prev: end.mac, latest: Math.max(end.latest, row.at), row }
    const link = { ...place, mac: macOf(place, keyOf(ring, key)) }
    links.push(link)
    end = headOf(link)
  }
  return { block: { key, links }, head: end }
}

/** Returns the end of a chain whose newest row is `link`. */
export const headOf = ({ seq, mac, latest }: AuditLink): AuditHead => ({ seq, mac, latest })

/** Returns whether a row, at its number, was signed with the key and not changed since. */
export function isGenuine(link: AuditLink, key: Uint8Array | undefined): boolean {
  if (!key || typeof link?.mac !== 'string') return false
  const [given, right] = [Buffer.from(link.mac), Buffer.from(macOf(link, key))]
  return given.length === right.length && timingSafeEqual(given, right)
}

function macOf({ seq, prev, latest, row }: Omit<AuditLink, 'mac'>, key: Uint8Array | undefined) {
  if (!key) throw new Error('the key of the audit rows is missing')
  return createHmac('sha256', key)
    .update(`container-stacks audit\n${seq}\n${prev}\n${latest}\n${JSON.stringify(row)}`)
    .digest('base64url')
}
