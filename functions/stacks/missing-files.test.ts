import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import build from './services/build.ts'
import scale from './services/scale.ts'
import update from './update.ts'

const path = { name: 'shop' }
const directory = '/opt/stacks/shop'

const compose = `services:
  web:
    image: busybox:latest
    build: ./app
    secrets: [key]
    configs: [conf]
    volumes:
      - {type: bind, source: ./strict, target: /strict, bind: {create_host_path: false}}
      - ./data:/data
secrets: {key: {file: key.txt}}
configs: {conf: {file: ./conf}}
`

const missing = [
  'compose.yaml:10:17: secrets.key.file: ./key.txt is neither in the files of the stack nor on the host',
  'compose.yaml:11:18: configs.conf.file: ./conf is neither in the files of the stack nor on the host',
  'compose.yaml:8:9: services.web.volumes[0]: ./strict is neither in the files of the stack nor on the host',
]

/** Puts a file on the host. */
const put = ({ engine }: World, file: string) =>
  engine.state.files.set(file, { path: file, content: Buffer.from('x'), mode: 0o644 })

const planned = async (here: World, as: 'admin' | 'viewer' = 'viewer') =>
  call(plan, { ports: here.ports, as, path, body: {} })

const deploying = async (here: World) =>
  call(deploy, { ports: here.ports, as: 'admin', path, body: {} })

test('422: the plan and the deploy name every required file that is missing, before any step', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  for (const { status, json } of [await planned(here), await deploying(here)]) {
    expect(status).toBe(422)
    expect(json.error.split('\n')).toEqual(missing)
  }
  expect(here.engine.executed).toEqual([])
  expect((await here.ports.deployments.listByStack('shop', 10)).length).toBe(0)
})

test('200: files on the host are enough, and a missing short bind is a warning', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  for (const file of ['key.txt', 'conf', 'strict/x']) put(here, `${directory}/${file}`)
  const text =
    'compose.yaml:9:9: services.web.volumes[1]: ./data is neither in the files of the stack nor on the host: the Engine creates an empty directory'
  const { status, json } = await planned(here)
  expect(status).toBe(200)
  expect(json[0]).toEqual({ action: 'warning', kind: 'bind', name: './data', reason: text })
  const done = (await deploying(here)).json
  expect(done).toMatchObject({ status: 'succeeded', warnings: [text] })
})

test('422: a directory where a file is needed, and the other way round', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  for (const file of ['key.txt/x', 'conf', 'strict/x']) put(here, `${directory}/${file}`)
  const { json } = await planned(here)
  expect(json.error).toBe(
    'compose.yaml:10:17: secrets.key.file: ./key.txt is a directory, but must be a file',
  )
})

test('422: a missing context and Dockerfile count only if the image is built', async () => {
  const here = world()
  const built = 'services:\n  web:\n    image: made:1\n    build: ./app\n'
  await givenStack(here, 'shop', { compose: built, deployed: false })
  expect((await planned(here)).json.error.split('\n')).toEqual([
    'compose.yaml:4:5: services.web.build.context: ./app is neither in the files of the stack nor on the host',
    'compose.yaml:4:5: services.web.build.dockerfile: ./app/Dockerfile is neither in the files of the stack nor on the host',
  ])
  put(here, `${directory}/app/main.js`)
  expect((await planned(here)).json.error).toMatch(/Dockerfile is neither/)
  put(here, `${directory}/app/Dockerfile`)
  expect((await planned(here)).status).toBe(200)
})

test('422: a deploy does not remove a file that a service needs and that keeps running', async () => {
  const here = world()
  const needs =
    'services: {web: {image: "busybox:latest", command: sleep 3600, secrets: [key], volumes: ["./conf:/c"]}}\nsecrets: {key: {file: key.txt}}\n'
  await givenStack(here, 'shop', { compose: needs, deployed: false })
  const save = async (content: object | null) => {
    const body = { files: { 'key.txt': content, conf: content, other: content } }
    expect((await call(update, { ports: here.ports, as: 'admin', path, body })).status).toBe(200)
  }
  await save({ content: 'a' })
  expect((await deploying(here)).json.status).toBe('succeeded')
  await save(null)
  const text = 'is neither in the files of the stack nor on the host'
  for (const { status, json } of [await planned(here), await deploying(here)]) {
    expect(status).toBe(422)
    expect(json.error).toBe(`compose.yaml:2:17: secrets.key.file: ./key.txt ${text}`)
  }
  expect(here.engine.state.files.has(`${directory}/key.txt`)).toBe(true)
})

test('200: asks the host nothing for a stack that is up to date', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  for (const file of ['key.txt', 'conf', 'strict/x']) put(here, `${directory}/${file}`)
  expect((await deploying(here)).json.status).toBe('succeeded')
  here.engine.state.files.delete(`${directory}/key.txt`)
  let asked = 0
  here.ports.engines.byHost.set('local', {
    ...here.engine,
    findPaths: async () => {
      asked += 1
      return new Map()
    },
  })
  expect((await planned(here)).json).toEqual([])
  expect(asked).toBe(0)
})

test('422: paths elsewhere on the host are named to callers with stacks:privileged only', async () => {
  const here = world()
  const elsewhere =
    'services: {web: {image: "busybox:latest", secrets: [key]}}\nsecrets: {key: {file: /srv/key}}\n'
  await givenStack(here, 'shop', { compose: elsewhere, deployed: false })
  here.engine.state.absent.add('/srv/key')
  const place = 'compose.yaml:2:17: secrets.key.file: '
  expect((await planned(here, 'admin')).json.error).toBe(`${place}/srv/key is not on the host`)
  // A viewer does not learn whether it exists.
  const seen = (await planned(here)).json
  here.engine.state.absent.clear()
  expect((await planned(here)).json).toEqual(seen)
  expect(seen.some(({ action }: Json) => action === 'create')).toBe(true)
})

test('200: files of services that a deploy leaves out may be missing', async () => {
  const here = world()
  const other = compose.replace('services:', 'services:\n  db: {image: "busybox:latest"}')
  await givenStack(here, 'shop', { compose: other, deployed: false })
  const ask = { ports: here.ports, as: 'admin' as const, path }
  const { status, json } = await call(deploy, { ...ask, body: { services: ['db'] } })
  expect([status, json.status]).toEqual([200, 'succeeded'])
  const scaled = { ...ask, path: { ...path, service: 'db' }, body: { replicas: 2 } }
  expect((await call(scale, scaled)).json.status).toBe('succeeded')
})

test('422: a build names a missing secret of its own, before any step', async () => {
  const here = world()
  const own = compose
    .replace('./app', '{context: ./app, secrets: [token]}')
    .replace('secrets: {', 'secrets: {token: {file: token.txt}, ')
  await givenStack(here, 'shop', { compose: own, deployed: false })
  put(here, `${directory}/app/Dockerfile`)
  const ask = { ports: here.ports, as: 'admin' as const, path: { ...path, service: 'web' } }
  const { status, json } = await call(build, ask)
  expect([status, json.error]).toEqual([
    422,
    expect.stringContaining('secrets.token.file: ./token.txt is neither in the files'),
  ])
  put(here, `${directory}/token.txt`)
  expect((await call(build, ask)).status).toBe(200)
})

test('422: a build names what is missing, before any step', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  const ask = { ports: here.ports, as: 'admin' as const, path: { ...path, service: 'web' } }
  const { status, json } = await call(build, ask)
  expect([status, json.error]).toEqual([
    422,
    expect.stringContaining('./app is neither in the files of the stack nor on the host'),
  ])
  expect((await here.ports.deployments.listByStack('shop', 10)).length).toBe(0)
  put(here, `${directory}/app/Dockerfile`)
  expect((await call(build, ask)).json.steps).toMatchObject([
    { action: 'write' },
    { action: 'build' },
  ])
})

test('200: a mount whose data was not sent starts empty, until the host has it', async () => {
  const here = world()
  const one = 'services: {web: {image: "busybox:latest", volumes: ["./data:/data", "./x:/x"]}}\n'
  await givenStack(here, 'shop', { compose: one, deployed: false })
  const save = async (unsent_data: string[]) =>
    call(update, { ports: here.ports, as: 'admin', path, body: { unsent_data } })
  const saved = await save(['./data'])
  expect([saved.status, saved.json.revision, saved.json.unsent_data]).toEqual([200, 1, ['./data']])
  const warnings = async () =>
    (await planned(here)).json
      .filter(({ action }: Json) => action === 'warning')
      .map(({ name, reason }: Json) => [name, /starts empty: its data was not sent/.test(reason)])
  expect(await warnings()).toEqual([
    ['./data', true],
    ['./x', false],
  ])
  put(here, `${directory}/data/db`)
  expect(await warnings()).toEqual([['./x', false]])
  here.engine.state.files.delete(`${directory}/data/db`)
  expect((await save([])).json.unsent_data).toEqual([])
  expect(await warnings()).toEqual([
    ['./data', false],
    ['./x', false],
  ])
  for (const odd of ['/etc', 'data', '../x']) expect((await save([odd])).status).toBe(400)
})
