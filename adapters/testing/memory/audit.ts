import { openAudit } from '../../../functions/core/audit/open.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { AuditBlocks } from '../../../functions/core/ports/audit-blocks.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { Anchored, AuditHead } from '../../../functions/core/records/audit-chain.ts'

/** Returns an in-memory store of audit blocks, with the map that a test can tamper with. */
export function memoryAuditBlocks(): AuditBlocks & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  let checkpoint: string | undefined
  const sorted = () => [...texts].map(([position, text]) => ({ position, text })).sort(byPosition)
  return {
    texts,
    async put({ position, text }) {
      if (texts.has(position)) return false
      texts.set(position, text)
      return true
    },
    async *after(position) {
      for (const block of sorted()) if (block.position > position) yield block
    },
    async *newestFirst() {
      yield* sorted().reverse()
    },
    async remove(positions) {
      for (const position of positions) texts.delete(position)
    },
    readCheckpoint: async () => checkpoint,
    async writeCheckpoint(next, before) {
      if (checkpoint !== before) return false
      checkpoint = next
      return true
    },
  }
}

const byPosition = (a: { position: string }, b: { position: string }) =>
  a.position < b.position ? -1 : 1

/** Returns an in-memory audit anchor. */
export function memoryAnchor(): AuditAnchor {
  let known: Anchored | undefined
  const advance = (head: AuditHead) => {
    if (!known || head.seq > known.head.seq) known = { head, replaced: known?.replaced ?? [] }
  }
  return {
    read: async () => structuredClone(known),
    advance,
    replaced(head, seq) {
      advance(head)
      known?.replaced.push(seq)
    },
    async settled() {},
  }
}

/** Returns an in-memory audit log, with a fixed key. */
export function memoryAudit(ports: Needs<'clock' | 'random' | 'log'>) {
  const blocks = memoryAuditBlocks()
  const keys = { current: 'memory', keys: { memory: new Uint8Array(32) } }
  return { ...openAudit({ blocks, keys, anchor: memoryAnchor() }, ports), blocks }
}
