import { must } from '../../compose/must.ts'
import type { AuditBlock, StoredBlock } from '../records/audit-chain.ts'

const digits = 16

/**
 * Returns the position of the block whose first row has this number. Positions sort like the
 * numbers.
 */
export const positionOf = (seq: number) => String(seq).padStart(digits, '0')

/**
 * Returns the number of the first row of the block at a position, or undefined if the position is
 * not one of ours.
 */
export function numberAt(position: string): number | undefined {
  const number = Number(position)
  const isOurs = /^\d{16}$/.test(position) && Number.isSafeInteger(number) && number > 0
  return isOurs ? number : undefined
}

/** Returns a block in its stored form. */
export const storedBlock = (block: AuditBlock): StoredBlock => ({
  position: positionOf(must(block.links[0], 'first row of the block').seq),
  text: JSON.stringify(block),
})

/** Returns the block in a stored text, or undefined if the text was tampered with. */
export function parseBlock({ text }: StoredBlock): AuditBlock | undefined {
  try {
    const block = JSON.parse(text) as AuditBlock
    const isBlock = Array.isArray(block?.links) && block.links.length > 0
    return isBlock && block.links.every(isLink) ? block : undefined
  } catch {
    return undefined
  }
}

const isLink = (link: AuditBlock['links'][number]) =>
  Number.isSafeInteger(link?.seq) && typeof link.row === 'object' && link.row !== null
