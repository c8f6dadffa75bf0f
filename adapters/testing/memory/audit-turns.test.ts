import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAudit } from '../../../functions/core/audit/open.ts'
import type { AuditBlocks } from '../../../functions/core/ports/audit-blocks.ts'
import { auditOver, auditRow } from '../contract/audit.ts'
import { memoryAnchor, memoryAuditBlocks } from './audit.ts'
import { memoryClock } from './clock.ts'
import { memoryLog } from './log.ts'
import { memoryRandom } from './random.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Blocks of a store that takes 5 ms to write or read, which other writes happen in. */
function slowBlocks() {
  const blocks = memoryAuditBlocks()
  let writes = 0
  const slow: AuditBlocks = {
    ...blocks,
    async put(block) {
      writes += 1
      await wait(3)
      const isFree = await blocks.put(block)
      await wait(2)
      return isFree
    },
    async *after(position) {
      await wait(5)
      yield* blocks.after(position)
    },
    async *newestFirst() {
      await wait(5)
      yield* blocks.newestFirst()
    },
  }
  return { slow, writes: () => writes }
}

test('sixty processes that write at once all write their rows, without many tries', async () => {
  const { slow, writes } = slowBlocks()
  // Time passes with the timers.
  const clock = { ...memoryClock(), monotonic: () => Date.now() }
  const processes = Array.from({ length: 60 }, (_, at) =>
    auditOver(slow, memoryAnchor(), `process ${at}`, clock),
  )
  const rows = processes.map(async (audit, at) => {
    for (let row = 0; row < 5; row += 1) await audit.append(auditRow(`${at}-${row}`))
  })
  const all = Promise.allSettled(rows)
  // Far more virtual time than they need.
  await vi.advanceTimersByTimeAsync(120_000)
  expect((await all).filter(({ status }) => status === 'rejected')).toEqual([])
  // About 1,400. With short pauses of one length it is about 2,700.
  expect(writes()).toBeLessThan(2000)
  const verified = processes[0]?.verify()
  await vi.advanceTimersByTimeAsync(1000)
  expect(await verified).toMatchObject({ ok: true, rows: 300 })
})

test.each([
  [100, 61],
  [5000, 10],
])('500: other processes come first, with %i ms a write, %i times', async (time, expected) => {
  const clock = memoryClock()
  let tries = 0
  const blocks: AuditBlocks = {
    ...memoryAuditBlocks(),
    async put() {
      tries += 1
      clock.advance(time)
      return false
    },
  }
  const keys = { current: 'k', keys: { k: new Uint8Array(32) } }
  const ports = { clock, random: memoryRandom(clock), log: memoryLog() }
  const audit = openAudit({ blocks, keys, anchor: memoryAnchor() }, ports)
  const written = audit.append(auditRow('late'))
  const refused = expect(written).rejects.toMatchObject({ reason: 'store-unavailable' })
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
  expect(tries).toBe(expected)
})
