import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import {
  createStep,
  labels,
  type NewEngineWorld,
  run,
  startContainer,
  step,
  waitStep,
} from './engine-world.ts'

/** Tests the lists and the single containers of the Engine port. */
export function engineContainersContract(newWorld: NewEngineWorld) {
  const find = async (engine: Engine, name: string, all = true) =>
    (await engine.containers({ all })).find((container) => container.name === name)

  test('lists show each action at once, and stopped containers on request', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
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

  test('shows the processes of a running container, and none of a stopped one', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const found = await engine.processes(name)
    const command = expect.stringContaining('sleep 100')
    expect(found).toContainEqual(expect.objectContaining({ command, user: 'root' }))
    for (const { pid } of found) expect(pid).toBeGreaterThan(0)
    await engine.act(name, { kind: 'stop', timeoutSeconds: 0 })
    expect(await engine.processes(name)).toEqual([])
    await expect(engine.processes('none')).rejects.toMatchObject({ status: 404 })
  })

  test('makes an image of a container', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const options = { author: 'mia', message: 'one', changes: ['ENV SAVED=1'], pause: true }
    const id = await engine.commitContainer(name, options, AbortSignal.timeout(60_000))
    expect(id).toMatch(/^sha256:/)
    await engine.tagImage(id, `${project}-saved`)
    const reference = `${project}-saved`
    const { images } = await engine.resolve({ networks: [], volumes: [], images: [reference] })
    expect(images[reference]).toMatchObject({ id })
    await engine.removeImage(reference, { force: false })
    const none = engine.commitContainer('none', options, AbortSignal.timeout(60_000))
    await expect(none).rejects.toMatchObject({ status: 404 })
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

  test('lists images, networks and volumes', async () => {
    const { engine, project } = await newWorld()
    const body = { Labels: labels(project) }
    await run(
      engine,
      createStep(project, 'one', 'sleep 100'),
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

  test('returns the aliases in a network, also of containers that do not run', async () => {
    const { engine, project } = await newWorld()
    const network = `${project}_front`
    await run(
      engine,
      step({ action: 'create', kind: 'network', name: network, body: { Labels: labels(project) } }),
    )
    const name = `${project}-one-1`
    const create = createStep(project, 'one', 'sleep 100', {
      HostConfig: { NetworkMode: network },
      NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [name, 'app'] } } },
    })
    await run(engine, create, step({ action: 'start', kind: 'container', name }))
    const { id } = await engine.container(name)
    await engine.act(name, { kind: 'stop', timeoutSeconds: 0 })
    expect(await engine.aliasesIn(network)).toEqual(new Map([[id, [name, 'app']]]))
    await engine.removeContainer(id, { force: true })
    expect(await engine.aliasesIn(network)).toEqual(new Map())
  })

  test('actions are idempotent and return the updated container', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    for (const [action, state] of [
      [{ kind: 'start' }, 'running'],
      [{ kind: 'kill' }, 'exited'],
      [{ kind: 'kill' }, 'exited'],
      [{ kind: 'stop', timeoutSeconds: 0 }, 'exited'],
      [{ kind: 'restart', timeoutSeconds: 0 }, 'running'],
    ] as const) {
      expect(await engine.act(name, action), action.kind).toMatchObject({ name, state })
    }
    const killed = await engine.act(name, { kind: 'kill', signal: 'SIGKILL' })
    expect(killed).toMatchObject({ state: 'exited', exitCode: 137 })
  })

  test('inspects a container by name and by ID', async () => {
    const { engine, project } = await newWorld()
    const create = createStep(project, 'one', 'sleep 100', { Env: ['A=1'] })
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

  test('shows all of a container, and what it was created from', async () => {
    const { engine, project } = await newWorld()
    const create = createStep(project, 'one', 'sleep 100', { Env: ['A=1'] })
    const { id = '' } = await run(engine, create)
    const found = await engine.inspection(create.name)
    expect(found).toMatchObject({
      id,
      name: create.name,
      config: { Image: 'busybox:latest', StopTimeout: 0 },
      hostConfig: { NetworkMode: 'none' },
      imageConfig: expect.any(Object),
      isImageMoved: false,
    })
    expect(found.config.Env).toContain('A=1')
    expect(found.imageConfig?.Env ?? []).not.toContain('A=1')
  })

  test('404: no such container, whatever the name', async () => {
    const { engine, project } = await newWorld()
    for (const id of [`${project}-none`, '../../version', 'a/json?x=', '', '..', 'a'.repeat(200)]) {
      const failure = { status: 404 }
      await expect(engine.container(id)).rejects.toMatchObject(failure)
      await expect(engine.inspection(id)).rejects.toMatchObject(failure)
      await expect(engine.act(id, { kind: 'start' })).rejects.toMatchObject(failure)
      await expect(engine.removeContainer(id, { force: true })).rejects.toMatchObject(failure)
      await expect(engine.logs(id, { tail: 1 })).rejects.toMatchObject(failure)
    }
  })

  test('409: removing a running container, unless forced', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    await expect(engine.removeContainer(name, { force: false })).rejects.toMatchObject({
      status: 409,
    })
    await engine.removeContainer(name, { force: true })
    expect(await find(engine, name)).toBeUndefined()
  })

  test('returns the last log lines, oldest first', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'echo one; echo two; echo three')
    await run(engine, waitStep(name, 'service_completed_successfully'))
    const lines = await engine.logs(name, { tail: 2 })
    expect(lines).toMatchObject([
      { stream: 'stdout', line: 'two' },
      { stream: 'stdout', line: 'three' },
    ])
    expect(Number.isNaN(Date.parse(lines[0]?.time ?? ''))).toBe(false)
    expect(await engine.logs(name, { tail: 2, since: '2999-01-01T00:00:00Z' })).toEqual([])
    expect(await engine.logs(name, { tail: 9, since: '0' })).toHaveLength(3)
  })

  test('returns facts about the Engine', async () => {
    const { engine } = await newWorld()
    const info = await engine.info()
    expect(info.os).toBe('linux')
    expect(info.apiVersion).toMatch(/^\d+\.\d+$/)
    expect(info.cpus).toBeGreaterThan(0)
    expect(info.containers.total).toBeGreaterThanOrEqual(info.containers.running)
  })
}
