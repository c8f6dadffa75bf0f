import { conflict } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditHead, AuditTrim } from '../records/audit-chain.ts'
import { parseBlock, positionOf } from './block-text.ts'
import { headOf } from './chain.ts'
import { checkpointOf, readCheckpoint, signCheckpoint } from './checkpoint.ts'
import type { LedgerParts } from './ledger.ts'
import { chainCheck } from './verdict.ts'

type TrimPorts = Needs<'clock'>

/** Blocks removed between two pauses, and the milliseconds of a pause. */
const stepMax = 25
const pause = 50

/**
 * Removes the rows up to a number and replaces them with a signed checkpoint. Removes only whole
 * blocks and never the newest one. `mac` is the HMAC of the row with that number, which proves that
 * the caller has read it. If the checkpoint replaced that row earlier, only completes the removal.
 *
 * @throws 409 if the HMAC is wrong or a row up to there was changed: removing it would destroy the
 * evidence
 */
export async function trimChain(
  { sequence, mac }: { sequence: number; mac: string },
  { blocks, keys }: LedgerParts,
  ports: TrimPorts,
): Promise<AuditTrim> {
  const stored = await blocks.readCheckpoint()
  const from = readCheckpoint(stored, keys)
  if (stored !== undefined && !from)
    throw conflict('the audit checkpoint was not signed by this service: see GET /audit/verify')
  // An interrupted removal is repeated with the same row, which the checkpoint has replaced.
  if (from && sequence <= from.seq) return finishTrim(from.seq, { blocks, keys }, ports)
  const check = chainCheck(keys, undefined, from)
  let found = false
  let end: AuditHead | undefined
  let next: AuditHead | undefined
  for await (const block of blocks.after(positionOf(from?.seq ?? 0))) {
    // The previous block is not the newest one, so it may be removed.
    end = next
    const links = parseBlock(block)?.links
    const last = links?.at(-1)
    if (links?.some((link) => link.seq === sequence && link.mac === mac)) found = true
    if (last && last.seq > sequence) break
    check.block(block)
    next = last && headOf(last)
  }
  if (!found)
    throw conflict('`mac` is not the HMAC of the audit row `sequence`: export the rows first')
  const { problems } = check.end()
  if (problems.length > 0) {
    throw conflict('audit rows up to `sequence` were changed: see GET /audit/verify')
  }
  if (!end) return finishTrim(from?.seq ?? 0, { blocks, keys }, ports)
  const checkpoint = signCheckpoint({ ...end, at: ports.clock.now() }, keys)
  if (!(await blocks.writeCheckpoint(checkpoint, stored))) {
    throw conflict('another request is removing audit rows: try again')
  }
  await removeTrimmed({ blocks, keys }, ports)
  return { sequence: end.seq, removed: end.seq - (from?.seq ?? 0) }
}

async function finishTrim(
  sequence: number,
  parts: Pick<LedgerParts, 'blocks' | 'keys'>,
  ports: TrimPorts,
): Promise<AuditTrim> {
  await removeTrimmed(parts, ports)
  return { sequence, removed: 0 }
}

/** Removes the blocks up to the checkpoint that an interrupted removal left behind. */
export async function removeTrimmed(
  { blocks, keys }: Pick<LedgerParts, 'blocks' | 'keys'>,
  { clock }: TrimPorts,
): Promise<void> {
  const checkpoint = await checkpointOf({ blocks, keys })
  if (!checkpoint) return
  const end = positionOf(checkpoint.seq)
  for (;;) {
    const positions: string[] = []
    for await (const { position } of blocks.after('')) {
      if (position > end || positions.length === stepMax) break
      positions.push(position)
    }
    if (positions.length === 0) return
    await blocks.remove(positions)
    await clock.sleep(pause)
  }
}
