import { expect, test } from 'vitest'
import { expiryOf } from '../../../functions/core/metrics/usage-points.ts'
import type { UsageBlock } from '../../../functions/core/records/usage-history.ts'
import type { NewWorld } from './world.ts'

const hour = 3_600_000

/** Tests the port `UsageHistory`. */
export function usageHistoryContract(newWorld: NewWorld) {
  const block = (from: number, more: Partial<UsageBlock> = {}): UsageBlock => ({
    step: 'hour',
    from,
    mark: 'm-1',
    series: [
      {
        key: 'shop/web/1',
        name: 'shop-web-1',
        id: '4f6d1b0c9a2e4f6d',
        points: [{ at: from + hour, minutes: 59, levels: [[1.25, 99.5], null, [4096, 12_345]] }],
      },
      { key: '', name: '', id: '', points: [] },
    ],
    leftOut: ['many-1'],
    ...more,
  })
  const dayOf = (at: number) => Math.floor(at / (24 * hour)) * 24 * hour

  test('a block is read as it was written, by any process, and replaced by its place', async () => {
    const { stores, peer, clock } = await newWorld()
    const from = dayOf(clock.now())
    const one = block(from)
    const [other, elsewhere] = [block(from, { mark: 'm-2' }), block(from, { step: 'minute' })]
    for (const each of [one, other, elsewhere]) {
      await stores.usageHistory.put('h', each, clock.now() + hour)
    }
    await stores.usageHistory.put('h2', block(from), clock.now() + hour)
    expect(await peer.usageHistory.list('h', 'hour', 0)).toEqual([one, other])
    const changed = { ...one, leftOut: [] }
    await peer.usageHistory.put('h', changed, clock.now() + hour)
    expect(await stores.usageHistory.list('h', 'hour', 0)).toEqual([changed, other])
    expect(await stores.usageHistory.list('none', 'hour', 0)).toEqual([])
  })

  test('blocks are listed by the end of their period, oldest first', async () => {
    const { stores, clock } = await newWorld()
    const from = dayOf(clock.now())
    const [yesterday, today] = [block(from - 24 * hour), block(from)]
    for (const each of [today, yesterday]) {
      await stores.usageHistory.put('h', each, clock.now() + hour)
    }
    const since = async (at: number) =>
      (await stores.usageHistory.list('h', 'hour', at)).map((one) => one.from)
    expect(await since(from - 1)).toEqual([yesterday.from, today.from])
    expect(await since(from)).toEqual([today.from])
  })

  test('a block expires once its last point is as old as points are kept', async () => {
    const { stores, clock } = await newWorld()
    const one = block(dayOf(clock.now()))
    const end = expiryOf(one, 2)
    await stores.usageHistory.put('h', one, end)
    clock.advance(end - clock.now() - 1)
    expect(await stores.usageHistory.list('h', 'hour', 0)).toHaveLength(1)
    clock.advance(1)
    expect(await stores.usageHistory.list('h', 'hour', 0)).toEqual([])
  })
}
