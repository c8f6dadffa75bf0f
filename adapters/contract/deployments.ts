import { expect, test } from 'vitest'
import { deployment } from './samples.ts'
import type { NewWorld } from './world.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

/** Tests the port `Deployments`. */
export function deploymentsContract(newWorld: NewWorld) {
  test('a deployment is found by its id and under its stack, newest first', async () => {
    const { stores, peer } = await newWorld()
    for (const id of ['d1', 'd3', 'd2']) await stores.deployments.create(deployment(id, 'web'))
    await stores.deployments.create(deployment('d4', 'web-2'))
    expect(await peer.deployments.find('web', 'd2')).toEqual(deployment('d2', 'web'))
    expect(await peer.deployments.find('web', 'none')).toBeUndefined()
    expect(ids(await peer.deployments.listByStack('web', 10))).toEqual(['d3', 'd2', 'd1'])
    expect(ids(await peer.deployments.listByStack('web', 2))).toEqual(['d3', 'd2'])
  })

  test('those that run are listed over all stacks until they end', async () => {
    const { stores, peer } = await newWorld()
    await stores.deployments.create(deployment('d1', 'web'))
    await stores.deployments.create(deployment('d2', 'db'))
    await stores.deployments.create({ ...deployment('d3', 'db'), status: 'succeeded' })
    expect(ids(await peer.deployments.listRunning()).sort()).toEqual(['d1', 'd2'])
    const step = { action: 'start', kind: 'container', name: 'web-1', reason: 'stopped' }
    const steps = [{ ...step, status: 'done' as const, ms: 12 }]
    await stores.deployments.save({ ...deployment('d1', 'web'), steps })
    expect(ids(await peer.deployments.listRunning()).sort()).toEqual(['d1', 'd2'])
    await stores.deployments.save({
      ...deployment('d1', 'web'),
      steps,
      status: 'failed',
      error: 'x',
    })
    expect(ids(await peer.deployments.listRunning())).toEqual(['d2'])
    expect(await peer.deployments.find('web', 'd1')).toMatchObject({ status: 'failed', steps })
  })

  test('a save under an earlier lease than the last is refused', async () => {
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

  test('one that ended is removed alone, and one that runs stays', async () => {
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

  test('a deployment of many steps fits', async () => {
    const { stores } = await newWorld()
    const steps = Array.from({ length: 2000 }, (_, index) => ({
      ...{ action: 'create', kind: 'container', name: `project-service-${index}-1` },
      ...{ reason: 'no container', status: 'done' as const, ms: index },
    }))
    await stores.deployments.create({ ...deployment('d1', 'web'), steps })
    expect((await stores.deployments.find('web', 'd1'))?.steps).toEqual(steps)
  })

  test('those of a removed stack are gone, and a late save does not bring one back', async () => {
    const { stores, peer } = await newWorld()
    const made = Array.from({ length: 14 }, (_, index) => `d${index}`)
    await Promise.all(made.map((id) => stores.deployments.create(deployment(id, 'web'))))
    await stores.deployments.create(deployment('other', 'db'))
    await peer.deployments.removeByStack('web')
    await stores.deployments.save(deployment('d1', 'web'))
    expect(await stores.deployments.listByStack('web', 100)).toEqual([])
    expect(await stores.deployments.find('web', 'd1')).toBeUndefined()
    expect(ids(await stores.deployments.listRunning())).toEqual(['other'])
  })
}
