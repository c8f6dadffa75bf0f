import { expect, test } from 'vitest'
import { positionOf } from '../../../functions/core/audit/block-text.ts'
import { openAudit } from '../../../functions/core/audit/open.ts'
import { serviceRow } from '../../../functions/core/audit/row.ts'
import type { AuditBlocks } from '../../../functions/core/ports/audit-blocks.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { StoredBlock } from '../../../functions/core/records/audit-chain.ts'
import { memoryAnchor } from '../memory/audit.ts'
import { memoryClock } from '../memory/clock.ts'
import { memoryLog } from '../memory/log.ts'
import { memoryRandom } from '../memory/random.ts'
import { present } from '../present.ts'
import { count, type NewWorld } from './world.ts'

/**
 * Opens the audit log over the blocks, with a data directory that no other process uses. Processes
 * with the same seed draw the same pauses.
 */
export function auditOver(
  blocks: AuditBlocks,
  anchor = memoryAnchor(),
  seed = 'seed',
  clock: Clock = memoryClock(),
) {
  const ports = { clock, random: memoryRandom(clock, seed), log: memoryLog() }
  const keys = { current: 'k', keys: { k: new Uint8Array(32) } }
  return openAudit({ blocks, keys, anchor }, ports)
}

/** Returns an audit row with this id. */
export const auditRow = (id: string) =>
  serviceRow({ id, at: 1, action: 'stacks.deploy', outcome: 'succeeded', subject: null })

async function all(blocks: AsyncIterable<StoredBlock>) {
  const positions: string[] = []
  for await (const { position } of blocks) positions.push(position)
  return positions
}

/** Tests the blocks of audit rows, and the hash chain over them. */
export function auditContract(newWorld: NewWorld) {
  test('assigns each position once', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).auditBlocks.put({ position: positionOf(1), text: `${index}` }),
      ),
    )
    expect(count(answers, true)).toBe(1)
    for await (const { text } of peer.auditBlocks.newestFirst()) {
      expect(text).toBe(String(answers.indexOf(true)))
    }
  })

  test('returns blocks in order, whatever their number and size', async () => {
    const { stores, peer } = await newWorld()
    const text = 'x'.repeat(5000)
    const numbers = Array.from({ length: 450 }, (_, index) => index + 1)
    for (let from = 0; from < 450; from += 50) {
      const some = numbers.slice(from, from + 50).map(positionOf)
      await Promise.all(some.map((position) => stores.auditBlocks.put({ position, text })))
    }
    const positions = numbers.map(positionOf)
    expect(await all(peer.auditBlocks.after(''))).toEqual(positions)
    expect(await all(peer.auditBlocks.after(positionOf(100)))).toEqual(positions.slice(100))
    expect(await all(peer.auditBlocks.newestFirst())).toEqual(positions.reverse())
    expect(await all(peer.auditBlocks.after(positionOf(450)))).toEqual([])
  })

  test('removes blocks and replaces the checkpoint that was read', async () => {
    const { stores, peer } = await newWorld()
    const positions = [1, 2, 3, 4].map(positionOf)
    for (const position of positions) await stores.auditBlocks.put({ position, text: '' })
    await peer.auditBlocks.remove(positions.slice(0, 3))
    expect(await all(stores.auditBlocks.after(''))).toEqual(positions.slice(3))
    expect(await stores.auditBlocks.readCheckpoint()).toBeUndefined()
    expect(await stores.auditBlocks.writeCheckpoint('one', 'none')).toBe(false)
    expect(await stores.auditBlocks.writeCheckpoint('one', undefined)).toBe(true)
    expect(await peer.auditBlocks.writeCheckpoint('two', undefined)).toBe(false)
    expect(await peer.auditBlocks.writeCheckpoint('two', 'one')).toBe(true)
    expect(await stores.auditBlocks.readCheckpoint()).toBe('two')
  })

  test('keeps 200 rows written at once by two processes in one chain', async () => {
    const { stores, peer } = await newWorld()
    const audits = [auditOver(stores.auditBlocks), auditOver(peer.auditBlocks)]
    const ids = Array.from({ length: 200 }, (_, index) => `row-${index}`)
    await Promise.all(ids.map((id, index) => present(audits[index % 2]).append(auditRow(id))))
    expect(await present(audits[0]).verify()).toMatchObject({
      ok: true,
      rows: 200,
      head: { seq: 200 },
    })
    const { rows } = await present(audits[1]).list({ limit: 1000 })
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  test('times never go back although the clocks of two processes differ', async () => {
    const { stores, peer } = await newWorld()
    const processes = [
      { audit: auditOver(stores.auditBlocks), ahead: 0 },
      { audit: auditOver(peer.auditBlocks), ahead: 300_000 },
    ]
    for (let index = 0; index < 20; index += 1) {
      const { audit, ahead } = present(processes[index % 2])
      await audit.append({ ...auditRow(`row-${index}`), at: ahead + index * 1000 })
    }
    const { rows } = await present(processes[0]).audit.list({ limit: 100 })
    const inOrder = rows.toSorted((one, other) => other.seq - one.seq)
    expect(rows).toEqual(inOrder)
    const times = rows.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => other - one))
  })

  test('finds a row by its id, not before a time', async () => {
    const { stores } = await newWorld()
    const audit = auditOver(stores.auditBlocks)
    for (const at of [1000, 2000, 3000]) await audit.append({ ...auditRow(`row-${at}`), at })
    expect(await audit.find('row-2000', 1500)).toMatchObject({ id: 'row-2000', at: 2000 })
    expect(await audit.find('row-2000', 2500)).toBeUndefined()
    expect(await audit.find('none', 0)).toBeUndefined()
  })

  test('returns rows in many scripts unchanged', async () => {
    const { stores } = await newWorld()
    const audit = auditOver(stores.auditBlocks)
    const row = { ...auditRow('x'), userAgent: 'Größe 大小 🚢 \u2028"\\', username: 'änne' }
    await audit.append(row)
    expect((await audit.list({ limit: 1 })).rows).toMatchObject([row])
    expect(await audit.verify()).toMatchObject({ ok: true })
  })
}
