import { randomBytes } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { haveCommonAddress } from '../../functions/core/net/addresses.ts'
import { freePort } from '../../local/harness/free-port.ts'
import { cleanEngine } from '../testing/contract/engine-clean.ts'
import { createStep, run, step } from '../testing/contract/engine-world.ts'
import { dockerEngine } from './engine.ts'
import { transportFrom } from './transport/connect.ts'

const engine = dockerEngine({
  transport: transportFrom(process.env),
  host: 'local',
  stacksDirectory: '/tmp',
})
afterAll(() => engine.close())

/** Creates a container that publishes a port, and returns what starts it. */
async function publishing(project: string, service: string, HostIp: string, HostPort: string) {
  const create = createStep(project, service, 'sleep 100', {
    ExposedPorts: { '80/tcp': {} },
    HostConfig: { PortBindings: { '80/tcp': [{ HostIp, HostPort }] } },
  })
  await run(engine, create)
  return {
    name: create.name,
    start: () => run(engine, step({ action: 'start', kind: 'container', name: create.name })),
  }
}

const portsOf = async (container: string) => {
  const all = await engine.containers({ all: true })
  return all.find(({ name }) => name === container)?.ports.filter((port) => port.public !== null)
}

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '0.0.0.0'],
  ['127.0.0.1', ''],
  ['', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.2'],
])(
  'the Engine refuses a port exactly if the addresses %j and %j have one in common',
  async (one, other) => {
    const project = `ports-${randomBytes(4).toString('hex')}`
    onTestFinished(() => cleanEngine(engine, project))
    const port = String(await freePort())
    const first = await publishing(project, 'one', one, port)
    const second = await publishing(project, 'two', other, port)
    await first.start()
    const started = await second.start().then(
      () => true,
      () => false,
    )
    expect(started).toBe(!haveCommonAddress(one, other))
  },
)

test('a stopped container lists no port of the host, and leaves it to another one', async () => {
  const project = `ports-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  const port = await freePort()
  const first = await publishing(project, 'one', '127.0.0.1', String(port))
  await first.start()
  const listed = { public: port, private: 80, protocol: 'tcp', ip: '127.0.0.1' }
  expect(await portsOf(first.name)).toEqual([listed])
  await run(engine, step({ action: 'stop', kind: 'container', name: first.name }))
  expect(await portsOf(first.name)).toEqual([])
  const second = await publishing(project, 'two', '127.0.0.1', String(port))
  await second.start()
  expect(await portsOf(second.name)).toEqual([listed])
})
