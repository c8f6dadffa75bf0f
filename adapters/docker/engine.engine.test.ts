import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { paced } from '../../local/harness/pace.ts'
import { cleanEngine } from '../testing/contract/engine-clean.ts'
import {
  createStep,
  run,
  startContainer,
  step,
  waitStep,
} from '../testing/contract/engine-world.ts'
import { dockerEngine } from './engine.ts'
import { engineClient } from './transport/client.ts'
import { transportFrom } from './transport/connect.ts'

const transport = transportFrom(process.env)
const stacksDirectory = await mkdtemp('/tmp/docker-stacks-')
const engine = dockerEngine({ transport, host: 'local', stacksDirectory })
/** Another manager of the same Engine. */
const other = dockerEngine({ transport, host: 'local', stacksDirectory })
const client = engineClient(transport, 'local')
afterAll(async () => {
  client.close()
  await Promise.all([engine.close(), other.close()])
  await rm(stacksDirectory, { recursive: true })
})

function newProject(): string {
  const project = `docker-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  return project
}

const file = (path: string, content: string, mode = 0o644) => ({
  path,
  content: Buffer.from(content),
  mode,
})

/** Polls for changes that may be slow on a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: paced(15_000) })

test('lists and observations reflect changes made by others', async () => {
  const project = newProject()
  const listed = async () =>
    (await engine.containers({ all: true })).find(({ stack }) => stack === project)?.state
  const observed = async () => (await engine.observe(project)).containers[0]?.state
  expect(await listed()).toBeUndefined()
  const name = await startContainer(other, project, 'one', 'sleep 100')
  await eventually(listed).toBe('running')
  expect(await observed()).toBe('running')
  await other.act(name, { kind: 'kill' })
  await eventually(listed).toBe('exited')
  expect(await observed()).toBe('exited')
})

test('stops a container whose own timeout is negative', async () => {
  const script = 'trap "exit 0" TERM; sleep 100 & wait'
  const create = createStep(newProject(), 'one', script, { StopTimeout: -1000 })
  await run(engine, create, step({ action: 'start', kind: 'container', name: create.name }))
  expect(await engine.act(create.name, { kind: 'stop' })).toMatchObject({ state: 'exited' })
})

test('returns long lines and both streams of a log, without carriage returns of a terminal', async () => {
  const project = newProject()
  const script = 'head -c 40000 /dev/zero | tr "\\0" x; echo; echo error >&2; printf end'
  const name = await startContainer(engine, project, 'one', script)
  await run(engine, waitStep(name, 'service_completed_successfully'))
  const lines = await engine.logs(name, { tail: 10 })
  expect(lines.map(({ stream }) => stream).sort()).toEqual(['stderr', 'stdout', 'stdout'])
  expect(lines.map(({ line }) => line).sort()).toEqual(['end', 'error', 'x'.repeat(40000)])

  const create = createStep(project, 'two', 'echo one; echo two', { Tty: true })
  await run(engine, create, step({ action: 'start', kind: 'container', name: create.name }))
  await run(engine, waitStep(create.name, 'service_completed_successfully'))
  expect((await engine.logs(create.name, { tail: 1 })).map(({ line }) => line)).toEqual(['two'])
})

test('removes a network on the first try after six concurrent removals', async () => {
  const project = newProject()
  const network = `${project}_net`
  const body = { Labels: { 'com.docker.compose.project': project } }
  const { id = '' } = await run(
    engine,
    step({ action: 'create', kind: 'network', name: network, body }),
  )
  const creations = Array.from({ length: 6 }, (_, index) =>
    createStep(project, `s${index}`, 'sleep 100', { HostConfig: { NetworkMode: network } }),
  )
  await Promise.all(
    creations.map((create) =>
      run(engine, create, step({ action: 'start', kind: 'container', name: create.name })),
    ),
  )
  const { containers, networks } = await engine.observe(project)
  expect(containers.map(({ state }) => state)).toEqual(creations.map(() => 'running'))
  expect(networks[0]?.containers.sort()).toEqual(containers.map((one) => one.id).sort())
  await Promise.all(
    creations.map(({ name }) =>
      run(engine, step({ action: 'remove', kind: 'container', name, volumes: true, force: true })),
    ),
  )
  await run(engine, step({ action: 'remove', kind: 'network', name: network, id }))
  expect((await engine.observe(project)).networks).toEqual([])
})

test('two concurrent removals of a container both succeed', async () => {
  const project = newProject()
  const name = await startContainer(engine, project, 'one', 'sleep 100')
  const remove = step({ action: 'remove', kind: 'container', name, volumes: true, force: true })
  await Promise.all([run(engine, remove), run(other, remove)])
  expect((await engine.observe(project)).containers).toEqual([])
})

test('uses a volume of another project with a warning', async () => {
  const project = newProject()
  const create = (of: string) =>
    step({
      action: 'create',
      kind: 'volume',
      name: `${project}_data`,
      body: { Labels: { 'com.docker.compose.project': of } },
    })
  expect((await run(engine, create(project))).warnings).toEqual([])
  expect((await run(engine, create('another'))).warnings).toEqual([
    `The volume ${project}_data already exists and belongs to the project ${project}; it is used as it is`,
  ])
})

test('file access continues after the helper was pruned; lists hide the helper', async () => {
  const directory = join(stacksDirectory, 'pruned')
  await engine.writeFiles(directory, [file('a', '1')])
  const filters = { label: ['container-stacks.internal'], volume: [directory] }
  const call = { method: 'GET', path: '/containers/json', query: { all: true, filters } } as const
  const helpers = await client.json<{ Id: string }[]>(call)
  expect(helpers.length).toBe(1)
  const helper = helpers[0]?.Id ?? ''
  const ids = (await engine.containers({ all: true })).map(({ id }) => id)
  expect(ids).not.toContain(helper)
  expect((await engine.images()).flatMap(({ tags }) => tags)).not.toContain(
    'container-stacks/files:1',
  )
  const missing = { status: 404 }
  await expect(other.removeContainer(helper, { force: true })).rejects.toMatchObject(missing)
  await expect(other.act(helper, { kind: 'start' })).rejects.toMatchObject(missing)
  const removal = other.removeImage('container-stacks/files:1', { force: true })
  await expect(removal).rejects.toMatchObject(missing)
  const prune = (id = '') =>
    client.json({ method: 'DELETE', path: `/containers/${id}`, query: { force: true } })
  await prune(helper)
  await engine.writeFiles(directory, [file('a', '2')])
  for (const known of [true, false]) {
    const [found] = await client.json<{ Id: string }[]>(call)
    await prune(found?.Id)
    expect((await engine.readFiles(directory, ['a'], { known })).map(({ path }) => path)).toEqual([
      'a',
    ])
  }
  await rm(directory, { recursive: true })
  await engine.writeFiles(directory, [file('b', '3', 0o600)])
  expect(await readdir(directory)).toEqual(['b'])
  expect((await stat(join(directory, 'b'))).mode & 0o777).toBe(0o600)
})

test('detects a file that changed on the host', async () => {
  const directory = join(stacksDirectory, 'known')
  const path = join(directory, 'a')
  const read = async (known: boolean) => {
    const files = await engine.readFiles(directory, ['a'], { known })
    return files.map(({ content }) => Buffer.from(content).toString())
  }
  await engine.writeFiles(directory, [file('a', '1')])
  expect(await read(true)).toEqual(['1'])
  await writeFile(path, '2')
  expect(await read(true)).toEqual(['2'])
  expect(await read(true)).toEqual(['2'])
  await chmod(path, 0o600)
  expect(await engine.readFiles(directory, ['a'], { known: true })).toMatchObject([{ mode: 0o600 }])
  await rm(path)
  await symlink('/etc/hostname', path)
  expect(await read(true)).toEqual([])
  await rm(path)
  expect(await read(true)).toEqual([])
  await engine.writeFiles(directory, [file('a', '3')])
  await other.writeFiles(directory, [file('a', '4')])
  expect(await read(true)).toEqual(['4'])
  const { atime, mtime } = await stat(path)
  await writeFile(path, '5')
  await utimes(path, atime, mtime)
  expect(await read(false)).toEqual(['5'])
})

test('files get the owner of their directory; a read creates no directory', async () => {
  const home = await mkdtemp('/tmp/docker-adopted-')
  onTestFinished(() => rm(home, { recursive: true }))
  const directory = join(home, 'app')
  expect(await engine.readFiles(directory, ['compose.yaml'])).toEqual([])
  expect(await readdir(home)).toEqual([])
  await mkdir(directory, { mode: 0o750 })
  await chown(directory, 1234, 1235)
  await writeFile(join(directory, 'data'), 'kept')
  await engine.writeFiles(directory, [file('compose.yaml', 'x'), file('sub/a', 'y')], ['data'])
  expect(await stat(join(directory, 'compose.yaml'))).toMatchObject({ uid: 1234, gid: 1235 })
  const { mode, uid } = await stat(directory)
  expect([mode & 0o777, uid]).toEqual([0o750, 1234])
  expect(await readdir(directory)).toEqual(['compose.yaml', 'sub'])
  const files = await engine.readFiles(directory, ['compose.yaml', 'sub/a', 'data'])
  expect(files.map(({ path }) => path)).toEqual(['compose.yaml', 'sub/a'])
})

test('a helper label alone does not hide a container', async () => {
  const project = newProject()
  const create = createStep(project, 'one', 'sleep 100')
  if (create.kind === 'container' && create.action === 'create') {
    create.body.Labels = { ...(create.body.Labels as object), 'container-stacks.internal': 'files' }
  }
  const { id } = await run(engine, create)
  expect((await engine.containers({ all: true })).map((one) => one.id)).toContain(id)
})

test('labels of an image neither hide a container nor assign it to a project', async () => {
  const project = newProject()
  const reference = `${project}:labelled`
  const labels = [
    'container-stacks.internal=files',
    ...[
      `project=${project}`,
      'service=one',
      'container-number=1',
      'oneoff=False',
      'config-hash=x',
    ].map((label) => `com.docker.compose.${label}`),
  ]
  const name = await startContainer(engine, project, 'one', 'sleep 100')
  await client.json({
    method: 'POST',
    path: '/commit',
    body: {},
    query: {
      container: name,
      repo: project,
      tag: 'labelled',
      changes: `LABEL ${labels.join(' ')}`,
    },
  })
  const create = createStep(project, 'two', 'sleep 100', { Image: reference })
  const own = await run(engine, { ...create, image: reference } as typeof create)
  const { Id } = await client.json<{ Id: string }>({
    method: 'POST',
    path: '/containers/create',
    query: { name: `${project}-forged` },
    body: { Image: reference, Cmd: ['sleep', '100'] },
  })
  onTestFinished(async () => {
    const query = { force: true }
    await client.json({ method: 'DELETE', path: `/containers/${Id}`, query })
    await cleanEngine(engine, project)
    await client.json({ method: 'DELETE', path: `/images/${reference}`, query })
  })
  const all = await engine.containers({ all: true })
  const shown = (id: string | undefined) => all.find((one) => one.id === id)
  expect(shown(own.id)).toMatchObject({ stack: project, service: 'two' })
  expect(shown(Id)).toMatchObject({ stack: null, service: null, labels: {} })
  expect(await engine.container(Id)).toMatchObject({ stack: null, service: null })
  const observed = (await engine.observe(project)).containers.map(({ name: one }) => one)
  expect(observed).toEqual([name, create.name].sort())
})

test('does not follow a link in a stack directory', async () => {
  const directory = join(stacksDirectory, 'links')
  await mkdir(directory)
  await symlink('/etc', join(directory, 'out'))
  await symlink('/etc/hostname', join(directory, 'name'))
  expect(await engine.readFiles(directory, ['name'])).toEqual([])
  const refused = { status: 409, message: expect.stringContaining('is a link to /etc') }
  await expect(engine.readFiles(directory, ['out/hostname'])).rejects.toMatchObject(refused)
  const secret = join(stacksDirectory, 'secret')
  await mkdir(secret)
  await symlink(secret, join(directory, 'in'))
  await expect(engine.writeFiles(directory, [file('in/x', 'y')])).rejects.toMatchObject({
    status: 409,
  })
  expect(await readdir(secret)).toEqual([])
})

test('400: the directory cannot be mounted', async () => {
  for (const directory of ['relative', '/', '/a:b']) {
    await expect(engine.writeFiles(directory, [file('a', 'b')])).rejects.toMatchObject({
      status: 400,
    })
  }
})

test('finds files in a directory with many large ones', async () => {
  const directory = join(stacksDirectory, 'large')
  const large = Buffer.alloc(3 * 1024 * 1024, 'x')
  await engine.writeFiles(directory, [
    ...['data/1', 'data/2', 'data/3'].map((path) => ({ path, content: large, mode: 0o644 })),
    file('a', '1'),
    file('z', '2'),
  ])
  const found = await engine.readFiles(directory, ['z', 'a', 'none'])
  expect(found.map(({ path, content }) => `${path} ${Buffer.from(content)}`)).toEqual([
    'z 2',
    'a 1',
  ])
})

test('reports the volumes that an image declares', async () => {
  const project = newProject()
  const { name } = createStep(project, 'one', 'true')
  await run(engine, createStep(project, 'one', 'true'))
  const query = { container: name, repo: project, tag: 'own', changes: 'VOLUME /own' }
  await client.json({ method: 'POST', path: '/commit', query, body: {} })
  const reference = `${project}:own`
  onTestFinished(() => client.json({ method: 'DELETE', path: `/images/${reference}` }))
  const images = [reference, 'busybox:latest']
  const resolved = await engine.resolve({ networks: [], volumes: [], images })
  expect(images.map((image) => resolved.images[image]?.volumes)).toEqual([['/own'], []])
})

test('reports the message of the Engine for an overlapping network', async () => {
  const project = newProject()
  const network = (key: string) =>
    step({
      action: 'create',
      kind: 'network',
      name: `${project}_${key}`,
      body: {
        Labels: { 'com.docker.compose.project': project, 'com.docker.compose.network': key },
        IPAM: { Config: [{ Subnet: '10.251.17.0/24' }] },
      },
    })
  await run(engine, network('one'))
  await expect(run(engine, network('two'))).rejects.toThrow('the subnet 10.251.17.0/24 overlaps')
})
