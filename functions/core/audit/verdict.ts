import type {
  AuditBlock,
  AuditCheckpoint,
  AuditHead,
  AuditLink,
  AuditProblem,
  AuditVerdict,
  StoredBlock,
} from '../records/audit-chain.ts'
import type { KeyRing } from '../records/keys.ts'
import { keyOf } from '../records/keys.ts'
import { numberAt, parseBlock } from './block-text.ts'
import { isGenuine } from './chain.ts'

const problemsMax = 100

/** The end of the chain as recorded outside the store. */
interface Known {
  head: AuditHead
  replaced: number[]
}

/**
 * Verifies the blocks of a chain in order and reports the problems at the end. `start` is the
 * checkpoint before the first block.
 */
export function chainCheck(ring: KeyRing, known: Known | undefined, start?: AuditCheckpoint) {
  const walk = chainWalk(start)
  /** The HMAC in the store of the row that is recorded as the newest. */
  let knownMac: string | undefined
  const links = ({ key: id, links }: AuditBlock, position: number) => {
    const key = keyOf(ring, id)
    const genuine = links.map((link) => isGenuine(link, key))
    for (const [index, link] of links.entries()) {
      if (genuine[index]) walk.genuine(link)
      else walk.forged(link, index === 0 ? position : 0, genuine[index + 1] && links[index + 1])
      if (genuine[index] && link.seq === known?.head.seq) knownMac = link.mac
    }
  }
  return {
    block(stored: StoredBlock): void {
      const position = numberAt(stored.position)
      const block = parseBlock(stored)
      if (position === undefined) walk.inserted()
      else if (block) links(block, position)
      else walk.unreadable(position)
    },
    end(): AuditVerdict {
      const last = known?.head.seq ?? 0
      const found = walk.end(last)
      const replaced = new Set(known?.replaced)
      if (knownMac !== undefined && knownMac !== known?.head.mac) replaced.add(last)
      for (const seq of replaced) {
        const isKnown = found.some(({ kind, from }) => kind === 'replaced' && from === seq)
        if (!isKnown) found.push({ kind: 'replaced', from: seq, to: seq, id: null })
      }
      const problems = found.sort((a, b) => a.from - b.from).slice(0, problemsMax)
      const checkpoint = start && { checkpoint: { seq: start.seq, at: start.at } }
      return { ok: problems.length === 0, ...walk.seen(), problems, ...checkpoint }
    },
  }
}

/**
 * Follows the numbers and links from row to row. After a row that cannot be trusted, the link of
 * the next row is not checked.
 */
function chainWalk(start: AuditCheckpoint | undefined) {
  const problems: AuditProblem[] = []
  const expected: { seq: number; prev: string | undefined } = {
    seq: (start?.seq ?? 0) + 1,
    prev: start?.mac ?? '',
  }
  let rows = 0
  let head: AuditVerdict['head'] = null

  const found = (kind: AuditProblem['kind'], from: number, to: number, id: string | null) => {
    if (problems.length < problemsMax) problems.push({ kind, from, to, id })
  }
  const missingBefore = (seq: number) => {
    if (seq > expected.seq) found('missing', expected.seq, seq - 1, null)
  }
  const expectAfter = (seq: number, mac: string | undefined) => {
    expected.seq = seq + 1
    expected.prev = mac
  }
  const changed = (seq: number, id: string | null) => {
    missingBefore(seq)
    found('changed', seq, seq, id)
    expectAfter(seq, undefined)
  }
  return {
    genuine(link: AuditLink): void {
      rows += 1
      if (link.seq < expected.seq) {
        found('inserted', link.seq, link.seq, idOf(link))
        return
      }
      missingBefore(link.seq)
      const follows = expected.prev === undefined || expected.prev === link.prev
      if (link.seq === expected.seq && !follows) found('replaced', link.seq - 1, link.seq - 1, null)
      expectAfter(link.seq, link.mac)
      head = { seq: link.seq, mac: link.mac }
    },
    /**
     * `position`: the position of the block if this is its first row, otherwise 0. `next`: the row
     * after it, if genuine.
     */
    forged(link: AuditLink, position: number, next: AuditLink | false | undefined): void {
      rows += 1
      const isMore = link.seq < expected.seq || (next && next.seq === expected.seq)
      if (isMore) found('inserted', link.seq, link.seq, idOf(link))
      else changed(Math.max(position, expected.seq), idOf(link))
    },
    unreadable(position: number): void {
      if (position < expected.seq) found('inserted', position, position, null)
      else changed(position, null)
    },
    inserted: () => found('inserted', expected.seq, expected.seq, null),
    /** Returns the problems. `last` is the number of the newest row that must exist. */
    end(last: number): AuditProblem[] {
      missingBefore(last + 1)
      // A row after the newest one that was ever written was not changed but inserted.
      const withKind = (one: AuditProblem): AuditProblem =>
        one.kind === 'changed' && last > 0 && one.from > last ? { ...one, kind: 'inserted' } : one
      return problems.map(withKind)
    },
    seen: () => ({ rows, head }),
  }
}

const idOf = ({ row }: AuditLink) => (typeof row.id === 'string' ? row.id : null)
