import { internalError } from '../errors.ts'
import type { AuditAnchor } from '../ports/audit-anchor.ts'
import type { AuditBlocks } from '../ports/audit-blocks.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditHead } from '../records/audit-chain.ts'
import type { AuditRow } from '../records/audit-row.ts'
import type { KeyRing } from '../records/keys.ts'
import { numberAt, parseBlock, positionOf, storedBlock } from './block-text.ts'
import { chainStart, headOf, linkRows } from './chain.ts'
import { checkpointOf } from './checkpoint.ts'

/** The parts of a chain. */
export interface LedgerParts {
  blocks: AuditBlocks
  keys: KeyRing
  anchor: AuditAnchor
}

type LedgerPorts = Needs<'clock' | 'random' | 'log'>

/** Rows per block. An item of the store is at most 400 KB, a row 3 KB. */
export const blockRowsMax = 100
/** How long a write is tried again that other processes overtake. Milliseconds. */
const triesTime = 6_000
/** Tries of a write even if that time is over, as the process may have been paused. */
const triesMin = 10
/** By how much each lost write makes the longest pause before the next one longer. Milliseconds. */
const pauseStep = 20
/** The longest pause between two writes. Milliseconds. */
const pauseMax = 400

interface Waiting {
  row: AuditRow
  resolve(): void
  reject(error: unknown): void
}

/**
 * Returns a function that appends a row to the one chain that all processes share. A block is
 * stored at the position of its first number, only if that position is free, so the chain never
 * forks. While a block is being written, further rows wait and go into the next block together.
 * However many changes run at once, each waits for at most two writes of its own process.
 */
export function ledgerWriter(parts: LedgerParts, ports: LedgerPorts) {
  const waiting: Waiting[] = []
  let head: AuditHead | undefined
  let writing = false

  const write = async (rows: AuditRow[]) => {
    const began = ports.clock.monotonic()
    head ??= await findEnd(parts, ports)
    const known = (await parts.anchor.read())?.head ?? chainStart
    // Other processes wrote in the meantime. If their rows are gone, their numbers are not reused.
    if (known.seq > head.seq) head = notBefore(known, await catchUp(head, parts, ports), ports)
    for (let lost = 1; ; lost += 1) {
      const { block, head: next } = linkRows(rows, head, parts.keys)
      if (await parts.blocks.put(storedBlock(block))) {
        const start: AuditHead = await checkpointAfter(head, parts, ports)
        if (start === head) {
          parts.anchor.advance(next)
          head = next
          return
        }
        // The number was free because its row was removed. The block goes with the next removal.
        head = start
      }
      if (lost >= triesMin && ports.clock.monotonic() - began > triesTime) {
        throw internalError('The audit rows could not be written: too many concurrent writers', {
          reason: 'store-unavailable',
        })
      }
      await ports.clock.sleep(pauseAfter(lost, ports))
      head = await catchUp(head, parts, ports)
    }
  }
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, blockRowsMax)
      try {
        await write(batch.map(({ row }) => row))
        for (const one of batch) one.resolve()
      } catch (error) {
        // The block may have been written all the same, so the end must be read again.
        head = undefined
        for (const one of batch) one.reject(error)
      }
    }
    writing = false
  }
  return (row: AuditRow) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (writing) return
      writing = true
      void writeAll()
    })
}

/**
 * Returns how long to pause after a number of lost writes, in milliseconds. The pause is random, so
 * that processes take turns, and gets longer, so that many of them do not overload the store.
 */
function pauseAfter(lost: number, { random }: Needs<'random'>): number {
  const [chance = 0] = random.bytes(1)
  return (chance / 256) * Math.min(pauseStep * lost, pauseMax)
}

/**
 * Returns the end of the chain. If the store ends before the newest row known here, rows were
 * removed. The chain then continues after them, so that their numbers stay missing.
 */
async function findEnd(parts: LedgerParts, ports: LedgerPorts): Promise<AuditHead> {
  const known = (await parts.anchor.read())?.head ?? chainStart
  const start = await checkpointAfter(known, parts, ports)
  return notBefore(start, await newestOf(parts.blocks), ports)
}

/** Returns the end of the stored rows, or the newest known row if that is missing there. */
function notBefore(known: AuditHead, stored: AuditHead, { log }: LedgerPorts): AuditHead {
  if (stored.seq >= known.seq) return stored
  log.error('audit rows are missing at the end', { from: stored.seq + 1, to: known.seq })
  return known
}

async function newestOf(blocks: AuditBlocks): Promise<AuditHead> {
  for await (const stored of blocks.newestFirst()) {
    const position = numberAt(stored.position)
    if (position === undefined) continue
    const last = parseBlock(stored)?.links.at(-1)
    // A damaged block cannot be continued, and it is not overwritten.
    return last && last.seq >= position ? headOf(last) : { seq: position, mac: '', latest: 0 }
  }
  return chainStart
}

/**
 * Returns the end of the chain after other processes wrote. Their rows must link to the last row
 * that was read or written here, or to a later one that a checkpoint has replaced.
 */
async function catchUp(
  head: AuditHead,
  parts: LedgerParts,
  ports: LedgerPorts,
): Promise<AuditHead> {
  const start = await checkpointAfter(head, parts, ports)
  let end = start
  for await (const stored of parts.blocks.after(positionOf(start.seq))) {
    const links = parseBlock(stored)?.links ?? []
    const [first, last] = [links[0], links.at(-1)]
    const follows = first?.seq === end.seq + 1 && first.prev === end.mac
    if (!last || !follows) {
      const later = await checkpointAfter(start, parts, ports)
      if (later !== start) return catchUp(later, parts, ports)
      ports.log.error('audit rows were replaced', { before: end.seq + 1 })
      parts.anchor.replaced(end, end.seq)
      return findEnd(parts, ports)
    }
    end = headOf(last)
  }
  return end === start ? findEnd(parts, ports) : end
}

/** Returns the row that a checkpoint has replaced, if it is later than `head`, or else `head`. */
async function checkpointAfter(head: AuditHead, parts: LedgerParts, { log }: LedgerPorts) {
  const trimmed = await checkpointOf(parts)
  if (!trimmed || trimmed.seq <= head.seq) return head
  log.info('another process has removed audit rows', { until: trimmed.seq })
  return trimmed
}
