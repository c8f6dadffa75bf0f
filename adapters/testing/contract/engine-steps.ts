import { expect, test } from 'vitest'
import type { Json } from '../json.ts'
import {
  createStep,
  labels,
  type NewEngineWorld,
  run,
  startContainer,
  step,
  waitStep,
} from './engine-world.ts'

/** Tests how the Engine port executes the steps of a plan. */
export function engineStepsContract(newWorld: NewEngineWorld) {
  test('creates a container with the image ID as a label and observes it', async () => {
    const { engine, project } = await newWorld()
    const made = await run(engine, createStep(project, 'one', 'sleep 100'))
    const { containers } = await engine.observe(project)
    const { images } = await engine.resolve({
      networks: [],
      volumes: [],
      images: ['busybox:latest'],
    })
    const imageId = images['busybox:latest']?.id
    expect(imageId).toMatch(/^sha256:/)
    expect(containers).toMatchObject([
      {
        id: made.id,
        name: `${project}-one-1`,
        service: 'one',
        number: 1,
        oneoff: false,
        state: 'created',
        exitCode: null,
        imageId,
      },
    ])
    expect(await engine.runs(containers)).toEqual([
      {
        id: made.id,
        image: 'busybox:latest',
        startedAt: null,
        finishedAt: null,
        restarts: 0,
        restartPolicy: 'no',
        startError: null,
        outOfMemory: false,
      },
    ])
    expect(containers[0]?.labels['com.docker.compose.image']).toBe(imageId)
  })

  test('lists show each step at once: start, stop, start, rename, remove', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const state = async () => (await engine.observe(project)).containers.map((one) => one.state)
    expect(await state()).toEqual(['running'])
    const stop = step({ action: 'stop', kind: 'container', name, timeoutSeconds: 0 })
    await run(engine, stop, stop)
    expect(await state()).toEqual(['exited'])
    const start = step({ action: 'start', kind: 'container', name })
    await run(engine, start, start)
    expect(await state()).toEqual(['running'])
    await run(
      engine,
      step({ action: 'restart', kind: 'container', name, timeoutSeconds: 0 }),
      step({ action: 'rename', kind: 'container', name, to: `${name}0` }),
    )
    expect((await engine.observe(project)).containers).toMatchObject([
      { name: `${name}0`, state: 'running' },
    ])
    const remove = step({
      action: 'remove',
      kind: 'container',
      name: `${name}0`,
      volumes: false,
      force: true,
    })
    await run(engine, remove, remove)
    expect(await state()).toEqual([])
  })

  test('404: the image of a container does not exist', async () => {
    const { engine, project } = await newWorld()
    const create = { ...createStep(project, 'one', 'true'), image: `${project}/none:1` }
    await expect(run(engine, create as never)).rejects.toMatchObject({
      status: 404,
      message: `No such image: ${project}/none:1`,
    })
    expect((await engine.observe(project)).containers).toEqual([])
  })

  test('409: the name belongs to another container; an identical one is reused', async () => {
    const { engine, project } = await newWorld()
    const create = createStep(project, 'one', 'sleep 100')
    const first = await run(engine, create)
    expect((await run(engine, create)).id).toBe(first.id)
    const other = { ...createStep(project, 'two', 'sleep 100'), name: create.name }
    const { body }: Json = other
    body.Labels['com.docker.compose.config-hash'] = 'b'.repeat(64)
    await expect(run(engine, other)).rejects.toMatchObject({
      status: 409,
      message: `A container named ${create.name} already exists`,
    })
  })

  test('creates a network once, connects, disconnects and removes it', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_net`
    const body = { Labels: labels(project, { 'com.docker.compose.network': 'net' }) }
    const create = step({ action: 'create', kind: 'network', name, body })
    const { id = '' } = await run(engine, create)
    expect((await run(engine, create)).id).toBe(id)
    const container = `${project}-one-1`
    const join = step({ action: 'connect', kind: 'network', name, container, body: {} })
    const inside = { HostConfig: { NetworkMode: 'bridge' } }
    await run(engine, createStep(project, 'one', 'sleep 100', inside), join)
    await run(engine, step({ action: 'start', kind: 'container', name: container }))
    const observed = await engine.observe(project)
    expect(observed.networks).toMatchObject([{ id, name, labels: body.Labels }])
    expect(observed.networks[0]?.containers).toEqual([observed.containers[0]?.id])
    expect(observed.containers[0]?.networks[name]).toBe(id)
    expect(await engine.projectContainers(project)).toEqual(observed.containers)

    const remove = step({ action: 'remove', kind: 'network', name, id })
    await expect(run(engine, remove)).rejects.toMatchObject({
      status: 409,
      message: `The network ${name} is still in use by ${container}`,
    })
    const leave = step({ action: 'disconnect', kind: 'network', name, container })
    await run(engine, leave, leave, remove, remove)
    expect((await engine.observe(project)).networks).toEqual([])
  })

  test('409: a network of that name belongs to something else', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_net`
    const create = (key: string) => {
      const body = { Labels: labels(project, { 'com.docker.compose.network': key }) }
      return step({ action: 'create', kind: 'network', name, body })
    }
    await run(engine, create('one'))
    await expect(run(engine, create('two'))).rejects.toMatchObject({ status: 409 })
  })

  test('creates a volume once, keeps it while in use, and removes it', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}_data`
    const body = { Labels: labels(project, { 'com.docker.compose.volume': 'data' }) }
    const create = step({ action: 'create', kind: 'volume', name, body })
    await run(engine, create, create)
    const mounted = { HostConfig: { NetworkMode: 'none', Binds: [`${name}:/data:rw`] } }
    await run(engine, createStep(project, 'one', 'sleep 100', mounted))
    const observed = await engine.observe(project)
    expect(observed.volumes).toEqual([{ name, labels: body.Labels }])
    expect(observed.containers[0]?.mounts).toMatchObject([
      { type: 'volume', name, destination: '/data' },
    ])
    const remove = step({ action: 'remove', kind: 'volume', name })
    await expect(run(engine, remove)).rejects.toMatchObject({ status: 409 })
    const container = `${project}-one-1`
    await run(
      engine,
      step({ action: 'remove', kind: 'container', name: container, volumes: true, force: true }),
      remove,
      remove,
    )
    expect((await engine.observe(project)).volumes).toEqual([])
  })

  test('resolves exact names only', async () => {
    const { engine, project } = await newWorld()
    for (const name of [`${project}_a`, `${project}_ab`]) {
      const body = { Labels: labels(project) }
      await run(engine, step({ action: 'create', kind: 'network', name, body }))
      await run(engine, step({ action: 'create', kind: 'volume', name, body }))
    }
    const names = [`${project}_a`, `${project}_b`]
    const resolved = await engine.resolve({
      networks: names,
      volumes: names,
      images: ['busybox:latest', `${project}:none`],
    })
    expect(Object.keys(resolved.networks)).toEqual([`${project}_a`])
    expect(Object.keys(resolved.volumes)).toEqual([`${project}_a`])
    expect(Object.keys(resolved.images)).toEqual(['busybox:latest'])
  })

  test('gives a name to an image, and 404 if the image is gone', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}:tagged`
    const idOf = async (image: string) =>
      (await engine.resolve({ networks: [], volumes: [], images: [image] })).images[image]?.id
    const source = (await idOf('busybox:latest')) ?? ''
    const tag = step({ action: 'tag', kind: 'image', name, source })
    expect(await run(engine, tag)).toEqual({ id: source })
    expect(await idOf(name)).toBe(source)
    const gone = `sha256:${'0'.repeat(64)}`
    const tagGone = step({ action: 'tag', kind: 'image', name, source: gone })
    await expect(run(engine, tagGone)).rejects.toMatchObject({ status: 404 })
    expect(await idOf(name)).toBe(source)
    await run(engine, step({ action: 'remove', kind: 'image', name }))
  })

  test('500: a failed pull reports the message of the registry', async () => {
    const { engine, project } = await newWorld()
    const name = `127.0.0.1:1/${project}/none:1`
    const pull = step({ action: 'pull', kind: 'image', name })
    await expect(run(engine, pull)).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining(`Pulling ${name} failed: `),
    })
  })

  test('copies a file into a container before its start', async () => {
    const { engine, project } = await newWorld()
    const name = `${project}-one-1`
    const files = [{ path: '/run/secrets/key', content: 'x', mode: 0o440, uid: 7, gid: 8 }]
    await run(
      engine,
      createStep(project, 'one', 'test "$(stat -c "%a %u %g" /run/secrets/key)" = "440 7 8"'),
      step({ action: 'upload', kind: 'container', name, files }),
      step({ action: 'start', kind: 'container', name }),
      waitStep(name, 'service_completed_successfully'),
    )
  })

  test('runs a command to its end and reports its failure', async () => {
    const { engine, project } = await newWorld()
    const name = await startContainer(engine, project, 'one', 'sleep 100')
    const exec = (script: string) =>
      step({ action: 'exec', kind: 'container', name, body: { Cmd: ['sh', '-c', script] } })
    await run(engine, exec('true'))
    await expect(run(engine, exec('exit 3'))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('exited with 3'),
    })
  })
}
