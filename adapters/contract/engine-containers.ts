import { expect, test } from 'vitest'
import type { Engine } from '../../functions/core/engine/engine.ts'
import { creation, labels, type NewEngineWorld, run, running, step, wait } from './engine-world.ts'

/** Tests the lists and the single containers of the Engine port. */
export function engineContainersContract(newWorld: NewEngineWorld) {
  const find = async (engine: Engine, name: string, all = true) =>
    (await engine.containers({ all })).find((container) => container.name === name)

  test('lists show every action at once, and stopped containers only when asked', async () => {
    const { engine, project } = await newWorld()
    const name = await running(engine, project, 'one', 'sleep 100')
    expect(await find(engine, name, false)).toMatchObject({
      image: 'busybox:latest',
      state: 'running',
      exitCode: null,
      stack: project,
      service: 'one',
    })
    const stopped = await engine.act(name, { kind: 'stop', timeoutSeconds: 0 })
    expect(stopped).toMatchObject({ name, state: 'exited' })
    expect(await find(engine, name, false)).toBeUndefined()
    expect(await find(engine, name)).toMatchObject({ id: stopped.id, state: 'exited' })
    await engine.removeContainer(stopped.id, { force: false })
    expect(await find(engine, name)).toBeUndefined()
  })

  test('lists are frozen', async () => {
    const { engine } = await newWorld()
    for (const list of [
      await engine.containers({ all: true }),
      await engine.containers({ all: false }),
      await engine.images(),
      await engine.networks(),
      await engine.volumes(),
    ]) {
      expect(Object.isFrozen(list)).toBe(true)
    }
  })

  test('images, networks and volumes are listed', async () => {
    const { engine, project } = await newWorld()
    const body = { Labels: labels(project) }
    await run(
      engine,
      creation(project, 'one', 'sleep 100'),
      step({ action: 'create', kind: 'network', name: `${project}_n`, body }),
      step({ action: 'create', kind: 'volume', name: `${project}_v`, body }),
    )
    const image = (await engine.images()).find(({ tags }) => tags.includes('busybox:latest'))
    expect(image?.containers).toBeGreaterThanOrEqual(1)
    const network = (await engine.networks()).find(({ name }) => name === `${project}_n`)
    expect(network).toMatchObject({ driver: 'bridge', stack: project, internal: false })
    const volume = (await engine.volumes()).find(({ name }) => name === `${project}_v`)
    expect(volume).toMatchObject({ driver: 'local', stack: project })
  })

  test('actions are idempotent and answer with the container after them', async () => {
    const { engine, project } = await newWorld()
    const name = await running(engine, project, 'one', 'sleep 100')
    for (const [action, state] of [
      [{ kind: 'start' }, 'running'],
      [{ kind: 'kill' }, 'exited'],
      [{ kind: 'kill' }, 'exited'],
      [{ kind: 'stop', timeoutSeconds: 0 }, 'exited'],
      [{ kind: 'restart', timeoutSeconds: 0 }, 'running'],
    ] as const) {
      expect(await engine.act(name, action)).toMatchObject({ name, state })
    }
    const killed = await engine.act(name, { kind: 'kill', signal: 'SIGKILL' })
    expect(killed).toMatchObject({ state: 'exited', exitCode: 137 })
  })

  test('everything of one container, by name and by id', async () => {
    const { engine, project } = await newWorld()
    const create = creation(project, 'one', 'sleep 100', { Env: ['A=1'] })
    const { id = '' } = await run(engine, create)
    const details = await engine.container(create.name)
    expect(details).toMatchObject({
      id,
      name: create.name,
      command: ['sh', '-c', 'sleep 100'],
      restartPolicy: 'no',
      startedAt: null,
      exitCode: null,
    })
    expect(details.env).toContain('A=1')
    expect(await engine.container(id)).toEqual(details)
  })

  test('404: containers that are not there, whatever the name', async () => {
    const { engine, project } = await newWorld()
    for (const id of [`${project}-none`, '../../version', 'a/json?x=', '', '..', 'a'.repeat(200)]) {
      const failure = { status: 404 }
      await expect(engine.container(id)).rejects.toMatchObject(failure)
      await expect(engine.act(id, { kind: 'start' })).rejects.toMatchObject(failure)
      await expect(engine.removeContainer(id, { force: true })).rejects.toMatchObject(failure)
      await expect(engine.logs(id, { tail: 1 })).rejects.toMatchObject(failure)
    }
  })

  test('409: removing a running container, unless forced', async () => {
    const { engine, project } = await newWorld()
    const name = await running(engine, project, 'one', 'sleep 100')
    await expect(engine.removeContainer(name, { force: false })).rejects.toMatchObject({
      status: 409,
    })
    await engine.removeContainer(name, { force: true })
    expect(await find(engine, name)).toBeUndefined()
  })

  test('the last lines of the log, oldest first', async () => {
    const { engine, project } = await newWorld()
    const name = await running(engine, project, 'one', 'echo one; echo two; echo three')
    await run(engine, wait(name, 'service_completed_successfully'))
    const lines = await engine.logs(name, { tail: 2 })
    expect(lines).toMatchObject([
      { stream: 'stdout', line: 'two' },
      { stream: 'stdout', line: 'three' },
    ])
    expect(Number.isNaN(Date.parse(lines[0]?.time ?? ''))).toBe(false)
    expect(await engine.logs(name, { tail: 2, since: '2999-01-01T00:00:00Z' })).toEqual([])
    expect(await engine.logs(name, { tail: 9, since: '0' })).toHaveLength(3)
  })

  test('the facts of the Engine', async () => {
    const { engine } = await newWorld()
    const info = await engine.info()
    expect(info.os).toBe('linux')
    expect(info.apiVersion).toMatch(/^\d+\.\d+$/)
    expect(info.cpus).toBeGreaterThan(0)
    expect(info.containers.total).toBeGreaterThanOrEqual(info.containers.running)
  })
}
