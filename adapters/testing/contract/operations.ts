import { expect, test } from 'vitest'
import type { OperationQuery } from '../../../functions/core/ports/operations.ts'
import { idMadeAt, operation } from './samples.ts'
import type { NewWorld, Stores } from './world.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

const listedIds = async ({ operations }: Stores, query: OperationQuery) =>
  ids((await operations.list(query)).operations)

const trail = {
  row: 'r1',
  action: 'images.pull' as const,
  userId: 'u1',
  username: 'ada',
  credential: null,
  requestId: 'x',
}

/**
 * Tests the port `Operations`. A store may list what is open a moment late, so tests wait for that
 * list.
 */
export function operationsContract(newWorld: NewWorld) {
  test('returns an operation unchanged, with its result', async () => {
    const { stores, peer } = await newWorld()
    const result = { tags: Array.from({ length: 2000 }, (_, index) => `team/shop:${index}`) }
    await stores.operations.create(operation('o1'))
    expect(await peer.operations.find('o1')).toEqual(operation('o1'))
    const ended = { ...operation('o1'), status: 'succeeded' as const, result, unaudited: trail }
    expect(await stores.operations.save(ended)).toBe(true)
    expect(await peer.operations.find('o1')).toEqual(ended)
    expect(await peer.operations.find('none')).toBeUndefined()
  })

  test('lists operations without their results, newest first, before an id and by host', async () => {
    const { stores, peer } = await newWorld()
    const made = [1000, 3000, 2000].map(idMadeAt)
    for (const id of made) await stores.operations.create({ ...operation(id), result: { a: 1 } })
    await stores.operations.create({ ...operation(idMadeAt(4000)), hostId: 'far' })
    const list = (query: OperationQuery) => listedIds(peer, query)
    expect(await list({ limit: 9 })).toEqual([4000, 3000, 2000, 1000].map(idMadeAt))
    expect(await list({ limit: 2 })).toEqual([4000, 3000].map(idMadeAt))
    expect(await list({ limit: 9, before: idMadeAt(3000) })).toEqual([2000, 1000].map(idMadeAt))
    expect(await list({ limit: 9, hosts: ['far'] })).toEqual([idMadeAt(4000)])
    expect(await list({ limit: 9, hosts: [] })).toEqual([])
    const where = ({ id }: { id: string }) => id < idMadeAt(2500)
    expect(await list({ limit: 1, where })).toEqual([idMadeAt(2000)])
    const page = await peer.operations.list({ limit: 1 })
    expect(page.next).toBe(idMadeAt(4000))
    expect((await peer.operations.list({ limit: 4 })).next).toBeUndefined()
    expect(page.operations[0]).not.toHaveProperty('result')
  })

  test('lists operations in order beyond one page of the store', async () => {
    const { stores } = await newWorld()
    const all = Array.from({ length: 105 }, (_, index) => `o${String(index).padStart(3, '0')}`)
    for (const id of all) await stores.operations.create(operation(id))
    const where = ({ id }: { id: string }) => id < 'o005'
    const wanted = ['o004', 'o003', 'o002', 'o001', 'o000']
    expect(await listedIds(stores, { limit: 99, where })).toEqual(wanted)
  })

  test('lists an operation as open until it ended and its end is in the audit log', async () => {
    const { stores, peer } = await newWorld()
    const open = async () => ids(await peer.operations.listOpen()).sort()
    await stores.operations.create({ ...operation('o1'), unaudited: trail })
    await stores.operations.create(operation('o2'))
    await expect.poll(open).toEqual(['o1', 'o2'])
    const failed = { ...operation('o1'), status: 'failed' as const, finishedAt: Date.now() }
    await stores.operations.save({ ...failed, unaudited: trail })
    await stores.operations.save({ ...failed, id: 'o2' })
    await expect.poll(open).toEqual(['o1'])
    await stores.operations.save(failed)
    await expect.poll(open).toEqual([])
    expect(await peer.operations.find('o1')).toEqual(failed)
  })

  test('keeps an operation for a day after its end, and as long as it is open', async () => {
    const { clock, stores, peer } = await newWorld()
    const ended = { ...operation('o1'), status: 'succeeded' as const, finishedAt: clock.now() }
    await stores.operations.create(ended)
    await stores.operations.create({ ...operation('o2'), startedAt: clock.now() })
    await stores.operations.create({ ...ended, id: 'o3', unaudited: trail })
    clock.advance(86_390_000)
    expect(await listedIds(peer, { limit: 9 })).toEqual(['o3', 'o2', 'o1'])
    clock.advance(20_000)
    expect(await listedIds(peer, { limit: 9 })).toEqual(['o3', 'o2'])
    expect(await peer.operations.find('o1')).toBeUndefined()
    expect(await peer.operations.find('o3')).toBeDefined()
  })

  test('a process that lost its lease overwrites nothing', async () => {
    const { stores, peer } = await newWorld()
    await stores.operations.create({ ...operation('o1'), fence: 3 })
    const interrupted = { ...operation('o1'), fence: 4, status: 'interrupted' as const }
    expect(await peer.operations.save(interrupted)).toBe(true)
    expect(await stores.operations.save({ ...operation('o1'), fence: 3 })).toBe(false)
    expect(await stores.operations.find('o1')).toEqual(interrupted)
    expect(await stores.operations.save({ ...operation('none'), fence: 9 })).toBe(false)
  })

  test('keeps the first request to cancel an operation, whatever is saved later', async () => {
    const { stores, peer } = await newWorld()
    await stores.operations.create(operation('o1'))
    expect(await peer.operations.findCancelRequest('o1')).toBeUndefined()
    const first = { by: 'mia', at: Date.now() }
    expect(await peer.operations.requestCancel('o1', first)).toBe(true)
    const second = { by: 'ada', at: first.at + 1 }
    expect(await peer.operations.requestCancel('o1', second)).toBe(true)
    await stores.operations.save(operation('o1'))
    expect(await stores.operations.findCancelRequest('o1')).toEqual(first)
    expect(await listedIds(stores, { limit: 9 })).toEqual(['o1'])
  })

  test('either a request to cancel comes first, or the end of the time for it', async () => {
    const { stores, peer } = await newWorld()
    const request = { by: 'mia', at: Date.now() }
    await stores.operations.create(operation('o1'))
    expect(await stores.operations.closeToCancel('o1', request.at)).toBeUndefined()
    expect(await peer.operations.requestCancel('o1', request)).toBe(false)
    expect(await peer.operations.findCancelRequest('o1')).toBeUndefined()
    // The answer to the first call can be lost.
    expect(await stores.operations.closeToCancel('o1', request.at)).toBeUndefined()
    await stores.operations.create(operation('o2'))
    await peer.operations.requestCancel('o2', request)
    expect(await stores.operations.closeToCancel('o2', request.at)).toEqual(request)
    expect(await peer.operations.requestCancel('o2', request)).toBe(true)
    expect(await peer.operations.findCancelRequest('o2')).toEqual(request)
  })

  test('of calls at once, one decides whether an operation is cancelled', async () => {
    const { stores, peer } = await newWorld()
    const request = { by: 'mia', at: Date.now() }
    for (const id of ['o1', 'o2', 'o3', 'o4']) {
      const [first, isTaken] = await Promise.all([
        stores.operations.closeToCancel(id, request.at),
        peer.operations.requestCancel(id, request),
      ])
      expect(first).toEqual(isTaken ? request : undefined)
    }
  })
}
