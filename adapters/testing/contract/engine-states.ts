import { expect, test } from 'vitest'
import { present } from '../present.ts'
import { createStep, type NewEngineWorld, run, startContainer, step } from './engine-world.ts'

/** Tests what the Engine port tells about the states of containers. */
export function engineStatesContract(newWorld: NewEngineWorld) {
  test('lists show for how long a container has been up', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const upSeconds = async () =>
      (await engine.containers({ all: true })).find((one) => one.name === name)?.upSeconds
    expect(await upSeconds()).toBeLessThan(10)
    await engine.act(name, { kind: 'stop', timeoutSeconds: 0 })
    expect(await upSeconds()).toBeNull()
  })

  test('knows the policy of a container, and how its last run began and ended', async () => {
    const { engine, project } = await newWorld()
    const HostConfig = { NetworkMode: 'none', RestartPolicy: { Name: 'unless-stopped' } }
    const create = createStep(project, 'one', 'sleep 100', { HostConfig })
    const { id = '' } = await run(engine, create)
    const details = async () => {
      const [one] = (await engine.containers({ all: true })).filter((found) => found.id === id)
      return present((await engine.runs([present(one)]))[0])
    }
    expect(await details()).toEqual({
      id,
      image: 'busybox:latest',
      startedAt: null,
      finishedAt: null,
      restarts: 0,
      restartPolicy: 'unless-stopped',
      startError: null,
      outOfMemory: false,
    })
    await run(engine, step({ action: 'start', kind: 'container', name: create.name }))
    const { startedAt } = await details()
    expect(Number.isNaN(Date.parse(present(startedAt)))).toBe(false)
    await engine.act(id, { kind: 'stop', timeoutSeconds: 0 })
    const ended = await details()
    expect(ended.startedAt).toBe(startedAt)
    expect(Date.parse(present(ended.finishedAt))).toBeGreaterThanOrEqual(
      Date.parse(present(startedAt)),
    )
  })

  test('knows which containers were stopped and not started again', async () => {
    const { engine, project } = await newWorld()
    const [one, two, three] = [
      await startContainer(engine, project, 'one', 'sleep 100'),
      await startContainer(engine, project, 'two', 'sleep 100'),
      await startContainer(engine, project, 'three', 'sleep 100'),
    ]
    for (const name of [one, two]) await engine.act(name, { kind: 'stop', timeoutSeconds: 0 })
    await engine.act(two, { kind: 'start' })
    await engine.act(three, { kind: 'kill' })
    const all = await engine.containers({ all: true })
    const stopped = async () => {
      const stops = await engine.stops()
      const own = all.filter(({ name }) => [one, two, three].includes(name))
      return own.filter(({ id }) => stops.has(id)).map(({ name }) => name)
    }
    await expect.poll(stopped, { timeout: 10_000 }).toEqual([one])
    await engine.act(one, { kind: 'start' })
    await expect.poll(stopped, { timeout: 10_000 }).toEqual([])
  })

  test('knows since when the Engine runs', async () => {
    const { engine } = await newWorld()
    const first = present(await engine.uptime())
    const again = present(await engine.uptime())
    expect(first.age).toBeGreaterThan(0)
    expect(again.startedAt).toBe(first.startedAt)
    expect(again.age).toBeGreaterThanOrEqual(first.age)
  })
}
