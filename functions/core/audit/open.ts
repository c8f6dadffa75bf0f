import type { Audit } from '../ports/audit.ts'
import type { AuditBlocks } from '../ports/audit-blocks.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditEntry, ExportedRow } from '../records/audit-chain.ts'
import type { AuditQuery, AuditRow } from '../records/audit-row.ts'
import { numberAt, parseBlock, positionOf } from './block-text.ts'
import { checkpointOf } from './checkpoint.ts'
import { blockRowsMax, type LedgerParts, ledgerWriter } from './ledger.ts'
import { gatherRefusals } from './refusals.ts'
import { matchesQuery } from './row.ts'
import { gatherReads } from './secret-reads.ts'
import { removeTrimmed, trimChain } from './trim.ts'
import { chainCheck } from './verdict.ts'

/** Rows that a list reads before it stops and reports that there are more. */
const rowsReadMax = 20_000

/**
 * Opens the audit trail as one chain over stored blocks.
 *
 * @param refusalRows refused attempts that get rows of their own between two flushes
 */
export function openAudit(
  parts: LedgerParts,
  ports: Needs<'clock' | 'random' | 'log'>,
  refusalRows?: number,
): Audit {
  const append = ledgerWriter(parts, ports)
  const refusals = gatherRefusals(append, ports, refusalRows)
  return {
    append,
    refuse: refusals.add,
    recordRead: gatherReads(append),
    refusalsWritten: refusals.written,
    async flush() {
      await refusals.flush()
      await parts.anchor.settled()
    },
    list: (query) => list(parts.blocks, query),
    find: (id, since) => find(parts.blocks, id, since),
    after: (seq) => (seq === undefined ? newest(parts.blocks) : after(parts.blocks, seq)),
    async verify() {
      // Read before the rows, so that a row written in the meantime does not count as an extra one.
      const known = await parts.anchor.read()
      const start = await checkpointOf(parts)
      const check = chainCheck(parts.keys, known, start)
      const first = start ? positionOf(start.seq) : ''
      for await (const block of parts.blocks.after(first)) check.block(block)
      return check.end()
    },
    exportAfter: (seq, before, limit) => exportAfter(parts, seq, before, limit),
    trim: (last) => trimChain(last, parts, ports),
    finishTrim: () => removeTrimmed(parts, ports),
  }
}

async function exportAfter(parts: LedgerParts, seq: number, before: number, limit: number) {
  const rows: ExportedRow[] = []
  const trimmed = await checkpointOf(parts)
  // Blocks before the checkpoint are being removed, or were written at numbers that were removed.
  // A block has at most `blockRowsMax` rows, so the next row is in a block after that number.
  const start = Math.max(seq - blockRowsMax, trimmed?.seq ?? 0, 0)
  for await (const stored of parts.blocks.after(positionOf(start))) {
    const block = parseBlock(stored)
    if (!block) continue
    for (const link of block.links) {
      if (link.seq <= seq) continue
      // A row counts as old as the latest row before it, so that a clock that was set back does not
      // leave out rows.
      if (link.latest >= before || rows.length === limit) return rows
      rows.push({ ...link, key: block.key })
    }
  }
  return rows
}

/** Approximate maximum of rows per read. */
const afterMax = 500

async function newest(blocks: AuditBlocks) {
  for await (const stored of blocks.newestFirst()) {
    const end = parseBlock(stored)?.links.at(-1)?.seq ?? numberAt(stored.position)
    if (end !== undefined) return { rows: [], end }
  }
  return { rows: [], end: 0 }
}

async function after(blocks: AuditBlocks, seq: number) {
  const rows: AuditRow[] = []
  let end = seq
  for await (const stored of blocks.after(positionOf(seq))) {
    const links = parseBlock(stored)?.links ?? []
    rows.push(...links.map(({ row }) => row))
    end = links.at(-1)?.seq ?? numberAt(stored.position) ?? end
    if (rows.length >= afterMax) break
  }
  return { rows, end }
}

async function list(blocks: AuditBlocks, query: AuditQuery) {
  const rows: AuditEntry[] = []
  const seen = new Set<string>()
  let rowsRead = 0
  for await (const stored of blocks.newestFirst()) {
    for (const { row, seq, mac, latest } of parseBlock(stored)?.links.toReversed() ?? []) {
      // All further rows are older.
      if (latest < (query.since ?? 0)) return { rows, next: undefined }
      const isNewer = latest >= (query.until ?? Infinity) || seq >= (query.before ?? Infinity)
      if (!isNewer && rowsRead++ >= rowsReadMax) return { rows, next: seq + 1 }
      // Newest first, the end of a change comes before its beginning and includes everything the
      // beginning says.
      if (seen.has(row.id)) continue
      seen.add(row.id)
      if (isNewer) continue
      // The clocks of processes differ, but times must not go back along the chain.
      const timed = { ...row, at: latest }
      if (!matchesQuery(timed, query)) continue
      if (rows.length === query.limit) return { rows, next: seq + 1 }
      rows.push({ ...timed, seq, mac })
    }
  }
  return { rows, next: undefined }
}

async function find(blocks: AuditBlocks, id: string, since: number) {
  for await (const stored of blocks.newestFirst()) {
    for (const { row, latest } of parseBlock(stored)?.links.toReversed() ?? []) {
      if (latest < since) return undefined
      if (row.id === id) return row
    }
  }
  return undefined
}
