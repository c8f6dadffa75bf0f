import { expect, test } from 'vitest'
import type { DeploymentQuery } from '../../../functions/core/ports/deployments.ts'
import { deployment, idMadeAt } from './samples.ts'
import type { NewWorld } from './world.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

/**
 * Tests the port `Deployments`. A store may list what is running or unaudited a moment late, so
 * tests wait for these lists.
 */
export function deploymentsContract(newWorld: NewWorld) {
  test('finds a deployment by ID and by stack, newest first', async () => {
    const { stores, peer } = await newWorld()
    for (const id of ['d1', 'd3', 'd2']) await stores.deployments.create(deployment(id, 'web'))
    await stores.deployments.create(deployment('d4', 'web-2'))
    expect(await peer.deployments.find('web', 'd2')).toEqual(deployment('d2', 'web'))
    expect(await peer.deployments.find('web', 'none')).toBeUndefined()
    expect(ids(await peer.deployments.listByStack('web', 10))).toEqual(['d3', 'd2', 'd1'])
    expect(ids(await peer.deployments.listByStack('web', 2))).toEqual(['d3', 'd2'])
  })

  test('lists the deployments of a time range', async () => {
    const { stores, peer } = await newWorld()
    for (const at of [1000, 2000, 3000, 4000])
      await stores.deployments.create(deployment(idMadeAt(at), 'web'))
    const list = (limit: number, range: DeploymentQuery) =>
      peer.deployments.listByStack('web', limit, range).then(ids)
    expect(await list(9, { since: 2000, until: 4000 })).toEqual([3000, 2000].map(idMadeAt))
    expect(await list(1, { until: 4000 })).toEqual([idMadeAt(3000)])
    expect(await list(9, { since: 4001 })).toEqual([])
    expect(await list(9, { before: idMadeAt(3000) })).toEqual([2000, 1000].map(idMadeAt))
    expect(await list(1, { before: idMadeAt(3500) })).toEqual([idMadeAt(3000)])
    expect(await list(9, { before: idMadeAt(3000), until: 2000 })).toEqual([idMadeAt(1000)])
    expect(await list(9, { before: idMadeAt(2000), until: 3000 })).toEqual([idMadeAt(1000)])
    const where = ({ id }: { id: string }) => id !== idMadeAt(3000)
    expect(await list(2, { where })).toEqual([4000, 2000].map(idMadeAt))
  })

  test('lists the running deployments of all stacks', async () => {
    const { stores, peer } = await newWorld()
    await stores.deployments.create(deployment('d1', 'web'))
    await stores.deployments.create(deployment('d2', 'db'))
    await stores.deployments.create({ ...deployment('d3', 'db'), status: 'succeeded' })
    const running = async () => ids(await peer.deployments.listRunning()).sort()
    await expect.poll(running).toEqual(['d1', 'd2'])
    const step = { action: 'start', kind: 'container', name: 'web-1', reason: 'stopped' }
    const steps = [{ ...step, status: 'done' as const, ms: 12 }]
    await stores.deployments.save({ ...deployment('d1', 'web'), steps })
    await expect.poll(running).toEqual(['d1', 'd2'])
    await stores.deployments.save({
      ...deployment('d1', 'web'),
      steps,
      status: 'failed',
      error: 'x',
    })
    expect(await running()).toEqual(['d2'])
    expect(await peer.deployments.find('web', 'd1')).toMatchObject({ status: 'failed', steps })
  })

  test('lists deployments that ended and are not in the audit log yet', async () => {
    const { stores, peer } = await newWorld()
    const from = { row: 'r1', action: 'stacks.deploy' as const, userId: 'u1', username: 'ada' }
    const unaudited = { ...from, credential: null, requestId: 'x' }
    const running = { ...deployment('d1', 'web'), unaudited }
    await stores.deployments.create(running)
    await expect.poll(() => peer.deployments.listRunning()).toEqual([running])
    expect(await peer.deployments.listUnaudited()).toEqual([])
    const ended = { ...running, status: 'succeeded' as const }
    await stores.deployments.save(ended)
    expect(await peer.deployments.listRunning()).toEqual([])
    expect(await peer.deployments.listUnaudited()).toEqual([ended])
    expect(await stores.deployments.removeEnded('web', 'd1')).toBe(false)
    const { unaudited: _, ...audited } = ended
    await stores.deployments.save(audited)
    expect(await peer.deployments.listUnaudited()).toEqual([])
    expect(await stores.deployments.removeEnded('web', 'd1')).toBe(true)
  })

  test('rejects a save under an older lease', async () => {
    const { stores, peer } = await newWorld()
    await stores.deployments.create({ ...deployment('d1', 'web'), fence: 3 })
    const failed = { ...deployment('d1', 'web'), status: 'failed' as const }
    expect(await peer.deployments.save({ ...failed, fence: 2 })).toBe(false)
    expect(await peer.deployments.save(failed)).toBe(false)
    expect(await stores.deployments.find('web', 'd1')).toMatchObject({ status: 'running' })
    expect(await peer.deployments.save({ ...failed, fence: 3 })).toBe(true)
    expect(await peer.deployments.save({ ...failed, error: 'x', fence: 4 })).toBe(true)
    expect(await stores.deployments.find('web', 'd1')).toMatchObject({ error: 'x', fence: 4 })
  })

  test('removes only a deployment that ended', async () => {
    const { stores, peer } = await newWorld()
    await stores.deployments.create(deployment('d1', 'web'))
    await stores.deployments.create({ ...deployment('d2', 'web'), status: 'succeeded' })
    await stores.deployments.create({ ...deployment('d3', 'db'), status: 'failed' })
    expect(await peer.deployments.listIds('web')).toEqual(['d2', 'd1'])
    expect(await stores.deployments.removeEnded('web', 'd1')).toBe(false)
    expect(await stores.deployments.removeEnded('web', 'd3')).toBe(false)
    expect(await stores.deployments.removeEnded('web', 'd2')).toBe(true)
    expect(await stores.deployments.removeEnded('web', 'd2')).toBe(false)
    expect(await peer.deployments.listIds('web')).toEqual(['d1'])
    expect(await peer.deployments.listIds('db')).toEqual(['d3'])
  })

  test('keeps the first request to cancel a deployment, whatever is saved later', async () => {
    const { stores, peer } = await newWorld()
    await stores.deployments.create(deployment('d1', 'web'))
    expect(await peer.deployments.findCancelRequest('web', 'd1')).toBeUndefined()
    const first = { by: 'mia', at: Date.now() }
    await peer.deployments.requestCancel('web', 'd1', first)
    await peer.deployments.requestCancel('web', 'd1', { by: 'ada', at: first.at + 1 })
    await stores.deployments.save(deployment('d1', 'web'))
    expect(await stores.deployments.findCancelRequest('web', 'd1')).toEqual(first)
    expect(await stores.deployments.findCancelRequest('web', 'd2')).toBeUndefined()
    expect(await stores.deployments.findCancelRequest('db', 'd1')).toBeUndefined()
    expect(ids(await stores.deployments.listByStack('web', 9))).toEqual(['d1'])
  })

  test('stores a deployment with many steps', async () => {
    const { stores } = await newWorld()
    const steps = Array.from({ length: 2000 }, (_, index) => ({
      action: 'create',
      kind: 'container',
      name: `project-service-${index}-1`,
      reason: 'no container',
      status: 'done' as const,
      ms: index,
    }))
    await stores.deployments.create({ ...deployment('d1', 'web'), steps })
    expect((await stores.deployments.find('web', 'd1'))?.steps).toEqual(steps)
  })

  test('a late save does not restore a deployment of a removed stack', async () => {
    const { stores, peer } = await newWorld()
    const made = Array.from({ length: 14 }, (_, index) => `d${index}`)
    await Promise.all(made.map((id) => stores.deployments.create(deployment(id, 'web'))))
    await stores.deployments.create(deployment('other', 'db'))
    await peer.deployments.removeByStack('web')
    await stores.deployments.save(deployment('d1', 'web'))
    expect(await stores.deployments.listByStack('web', 100)).toEqual([])
    expect(await stores.deployments.find('web', 'd1')).toBeUndefined()
    await expect.poll(() => stores.deployments.listRunning().then(ids)).toEqual(['other'])
  })
}
