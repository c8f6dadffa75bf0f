import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StepCall } from '../../functions/compose/step.ts'
import { askDocker, docker } from '../testing/docker.ts'
import { dockerEngine } from './engine.ts'
import { transportFrom } from './transport/connect.ts'

const project = `own-${randomBytes(4).toString('hex')}`
const name = `${project}-service-1`
const labels = ['--label', `com.docker.compose.project=${project}`]
const sleeping = ['--init', '--stop-timeout', '1', 'busybox', 'sleep', '600']
const options = { transport: transportFrom(process.env), host: 'local', stacksDirectory: '/tmp' }
const id = docker('run', '-d', '--name', name, '--hostname', 'own', ...labels, ...sleeping)
/** The records of a service in the container with this ID. */
const recordsOf = (container: string) => ({
  hostId: 'local',
  isLocal: true,
  async read() {
    const known = { id: container, container, machine: 'm', dataDirectory: '/data' }
    return { processes: [{ ...known, engineId: null, store: null }], agents: [], stacks: [] }
  },
})
const service = dockerEngine({ ...options, own: recordsOf(id) })
const signal = new AbortController().signal
let before: string

const stateOf = (container: string) =>
  docker('inspect', '--format', '{{.Name}} {{.State.Status}} {{.State.StartedAt}}', container)
const execute = (call: StepCall) =>
  service.execute({ ...call, index: 0, after: [], reason: 'test', service: 'service' }, signal)
const refused = { status: 409, reason: 'own-installation' }

beforeAll(() => {
  before = stateOf(id)
})
afterAll(async () => {
  expect(stateOf(id)).toBe(before)
  await service.close()
  docker('rm', '--force', id)
})

test.each([
  ['its ID', id],
  ['the beginning of its ID', id.slice(0, 12)],
  ['its name', name],
])('409: rejects ending its own container, named by %s', async (_what, given) => {
  await expect(service.act(given, { kind: 'stop' })).rejects.toMatchObject(refused)
  await expect(service.act(given, { kind: 'restart' })).rejects.toMatchObject(refused)
  await expect(service.act(given, { kind: 'kill', signal: 'HUP' })).rejects.toMatchObject(refused)
  await expect(service.removeContainer(given, { force: true })).rejects.toMatchObject(refused)
})

test.each<StepCall>([
  { action: 'stop', kind: 'container', name },
  { action: 'restart', kind: 'container', name },
  { action: 'pause', kind: 'container', name },
  { action: 'remove', kind: 'container', name, volumes: true, force: true },
  { action: 'rename', kind: 'container', name, to: `${name}-old` },
  { action: 'exec', kind: 'container', name, body: { Cmd: ['true'] } },
  { action: 'upload', kind: 'container', name, files: [] },
  { action: 'disconnect', kind: 'network', name: 'bridge', container: name },
])('409: rejects a plan step that changes its own container: $action $kind', async (call) => {
  await expect(execute(call)).rejects.toMatchObject(refused)
})

test('409: rejects reading and changing files of its own container, which has its keys', async () => {
  const read = async () => {
    for await (const _ of service.readFromContainer(name, '/etc', signal)) return
  }
  await expect(read()).rejects.toMatchObject(refused)
  await expect(service.statInContainer(name, '/etc')).rejects.toMatchObject(refused)
  const archive = Buffer.alloc(1024)
  await expect(service.writeIntoContainer(name, '/tmp', archive)).rejects.toMatchObject(refused)
  const command = { command: ['true'], tty: false } as never
  await expect(service.exec(name, command, signal)).rejects.toMatchObject(refused)
  await expect(service.attach(name, { tty: false }, signal)).rejects.toMatchObject(refused)
  await expect(service.commitContainer(name, {} as never, signal)).rejects.toMatchObject(refused)
})

test('does not take a container with the same labels and host name for its own', async () => {
  const other = await askDocker('run', '-d', '--hostname', 'own', ...labels, ...sleeping)
  try {
    const { containers, projects } = await service.installation()
    // Other tests may have helper containers at the moment.
    expect(containers.get(id)).toBe('service')
    expect(containers.has(other)).toBe(false)
    expect([...projects]).toEqual([project])
    expect((await service.act(other, { kind: 'stop' })).state).toBe('exited')
  } finally {
    docker('rm', '--force', other)
  }
})

test('protects nothing on an Engine that does not have its container', async () => {
  const elsewhere = dockerEngine({ ...options, own: recordsOf('f'.repeat(64)) })
  expect([...(await elsewhere.installation()).containers.keys()]).not.toContain(id)
  await elsewhere.close()
  const outside = dockerEngine(options)
  expect((await outside.installation()).containers.size).toBe(0)
  await outside.close()
})
