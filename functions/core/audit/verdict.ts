import type { KeyRing } from '../keys.ts'
import { keyOf } from '../keys.ts'
import { numberAt, readBlock } from './block-text.ts'
import { type AuditBlock, type AuditHead, type AuditLink, isGenuine } from './chain.ts'
import type { AuditCheckpoint } from './checkpoint.ts'
import type { StoredBlock } from './ports.ts'

/**
 * What is wrong with the rows of these numbers: `changed`, its content is not what was written; `missing`, it is gone;
 * `inserted`, it was not written by the service, or is there twice; `replaced`, rows up to there are not those that stood
 * there when the next one was written.
 */
export interface AuditProblem {
  kind: 'changed' | 'missing' | 'inserted' | 'replaced'
  from: number
  to: number
  /** Of the one row, when it can be read. */
  id: string | null
}

export interface AuditVerdict {
  ok: boolean
  /** Rows that were read. */
  rows: number
  /** The newest row. */
  head: { seq: number; mac: string } | null
  /** In the order of the rows, the first hundred. */
  problems: AuditProblem[]
  /** The last row that an administrator removed; the rows after it were verified. */
  checkpoint?: Pick<AuditCheckpoint, 'seq' | 'at'>
}

const problemsMax = 100

/** What is known of the end of the chain outside of the store. */
interface Known {
  head: AuditHead
  replaced: number[]
}

/**
 * Verifies the blocks of a chain in order and reports the problems at the end. `start` is the
 * checkpoint before the first of them.
 */
export function chainCheck(ring: KeyRing, known: Known | undefined, start?: AuditCheckpoint) {
  const walk = chainWalk(start)
  /** The code of the row that is known to be the newest, as it stands in the store. */
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
      const block = readBlock(stored)
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

/** Follows the numbers and links from row to row. Where a row cannot be trusted, the next one begins anew. */
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
    /** `position`: where it stands, or 0 when it follows on others. `next`: the genuine row after it. */
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
    /** What was found, when `last` is the newest row that there must be. */
    end(last: number): AuditProblem[] {
      missingBefore(last + 1)
      // What stands after the newest row that was ever written was not changed: it came from elsewhere.
      const told = (one: AuditProblem): AuditProblem =>
        one.kind === 'changed' && last > 0 && one.from > last ? { ...one, kind: 'inserted' } : one
      return problems.map(told)
    },
    seen: () => ({ rows, head }),
  }
}

const idOf = ({ row }: AuditLink) => (typeof row.id === 'string' ? row.id : null)
