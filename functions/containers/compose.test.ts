import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, type World, world } from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import create from '../stacks/create.ts'
import deploy from '../stacks/deploy.ts'
import compose from './compose.ts'

type Role = 'admin' | 'operator' | 'viewer'

const ask = ({ ports }: World, names: string[], as: Role = 'operator') =>
  call(compose, { ports, as, body: { names }, route: 'POST /containers/compose' })

const rowsOf = async ({ ports }: World) =>
  (await ports.audit.list({ limit: 9 })).rows.filter(
    ({ action }) => action === 'containers.compose',
  )

test('200: writes containers as one project, each once and in the given order', async () => {
  const here = world()
  await givenContainer(here, 'one', { hostConfig: { Binds: ['data:/data'] } })
  const id = await givenContainer(here, 'two', { hostConfig: { AutoRemove: true } })
  const { status, json } = await ask(here, ['two', 'one', id])
  expect(status).toBe(200)
  const { services, volumes } = parse(json.compose)
  expect(Object.keys(services)).toEqual(['two', 'one'])
  expect(services.one).toMatchObject({ image: 'busybox:latest', container_name: 'one' })
  expect(volumes).toEqual({ data: { external: true } })
  expect(json.warnings).toEqual([expect.stringContaining('two: HostConfig.AutoRemove')])
})

test('200: a deploy of the result makes the container again', async () => {
  const here = world()
  const { ports, engine } = here
  const hostConfig = { Memory: 1024 ** 2, RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } }
  await givenContainer(here, 'one', { hostConfig, env: ['TOKEN=$5', 'TZ=UTC'] })
  const { json } = await ask(here, ['one'])
  const before = await engine.inspection('one')
  await engine.removeContainer('one', { force: true })
  const { compose: text, env } = json
  const body = { name: 'again', compose: text, env }
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(201)
  const path = { name: 'again' }
  const done = await call(deploy, { ports, as: 'admin', path, body: {} })
  expect(done.json).toMatchObject({ status: 'succeeded' })
  const after = await engine.inspection('one')
  expect(after.config).toMatchObject({ Cmd: before.config.Cmd, Env: before.config.Env })
  expect(after.hostConfig).toMatchObject(hostConfig)
})

test('200: a viewer sees no values, and no row is written', async () => {
  const here = world()
  await givenContainer(here, 'one', { env: ['KEY=hush', 'TZ=hush'] })
  const { json, text } = await ask(here, ['one'], 'viewer')
  expect(text).not.toContain('hush')
  expect(json.warnings).toEqual([expect.stringContaining('KEY, TZ')])
  expect(await rowsOf(here)).toEqual([])
})

test('200: values that a caller reads are recorded, secrets apart from the compose file', async () => {
  const here = world()
  await givenContainer(here, 'one', { env: ['DB_PASSWORD=hush', 'TZ=UTC'] })
  const { json } = await ask(here, ['one'])
  expect(json.compose).not.toContain('hush')
  expect(json.env).toBe("DB_PASSWORD='hush'\n")
  expect(await rowsOf(here)).toMatchObject([
    { username: 'operator', subject: { kind: 'containers', id: 'one' }, hosts: ['local'] },
  ])
})

test('403: a part of the service; its values are hidden from everyone', async () => {
  const here = world()
  const id = await givenContainer(here, 'agent', { env: ['KEY=hush'] })
  here.engine.own = { ...noInstallation, containers: new Map([[id, 'agent']]) }
  expect((await ask(here, ['agent'])).status).toBe(403)
  const { status, text } = await ask(here, ['agent'], 'admin')
  expect([status, text.includes('hush')]).toEqual([200, false])
})

test('404: there is no such container', async () => {
  const here = world()
  await givenContainer(here, 'one')
  expect((await ask(here, ['one', 'none'])).status).toBe(404)
})

test.each([[[]], [['../version']], [Array.from({ length: 101 }, (_, at) => `c${at}`)]])(
  '400: %j',
  async (names) => {
    expect((await ask(world(), names)).status).toBe(400)
  },
)

test('500: the host does not respond', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone')
  gone.off()
  const request = { ports: here.ports, as: 'viewer' as const, body: { names: ['one'] } }
  expect((await call(compose, { ...request, query: { host: 'gone' } })).status).toBe(500)
})
