import type { AuditBlock } from './chain.ts'
import type { StoredBlock } from './ports.ts'

const digits = 16

/** Where the block stands whose first row has this number: positions sort as the numbers do. */
export const positionOf = (seq: number) => String(seq).padStart(digits, '0')

/** The number of the first row of the block at a position, or nothing when no block of ours can stand there. */
export function numberAt(position: string): number | undefined {
  const number = Number(position)
  const isOurs = /^\d{16}$/.test(position) && Number.isSafeInteger(number) && number > 0
  return isOurs ? number : undefined
}

/** A block as it is kept. */
export const storedBlock = (block: AuditBlock): StoredBlock => ({
  position: positionOf(block.links[0]!.seq),
  text: JSON.stringify(block),
})

/** The block that a text holds; nothing when somebody made something else of it. */
export function readBlock({ text }: StoredBlock): AuditBlock | undefined {
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
