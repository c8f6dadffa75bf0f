import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import create from '../create.ts'
import deploy from '../deploy.ts'
import plan from '../plan.ts'
import statusOf from '../status.ts'
import update from '../update.ts'
import scale from './scale.ts'
import stop from './stop.ts'

const busy = 'image: busybox:latest, command: sleep 60'
const compose = (more = '') => `services:
  db: {${busy}, volumes: [/own]}
  web: {${busy}, depends_on: [db]${more}}
  mail: {${busy}}
  debug: {${busy}, profiles: [tools]}
`

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop' },
  body,
})
const of = (here: World, service: string, body: object = {}) => ({
  ...ask(here, body),
  path: { name: 'shop', service },
})

async function given() {
  const here = world()
  await givenStack(here, 'shop', { compose: compose() })
  return here
}

async function states(here: World) {
  const { json } = await call(statusOf, { ...ask(here), body: undefined })
  return Object.fromEntries(
    json.map((row: { service: string; service_state: string }) => [row.service, row.service_state]),
  )
}

const names = ({ engine }: World) =>
  [...engine.state.containers.values()].map(({ name }) => name).sort()
const record = async ({ ports }: World) => present(await ports.stacks.find('shop'))

test('200: scale is kept until the next deploy, which resets it with a warning', async () => {
  const here = await given()
  const scaled = (await call(scale, of(here, 'web', { replicas: 3 }))).json
  expect([scaled.status, scaled.kind]).toEqual(['succeeded', 'scale'])
  expect(names(here).filter((name) => name.includes('web'))).toHaveLength(3)
  expect(await states(here)).toMatchObject({ web: 'running' })
  const rows = (await call(statusOf, { ...ask(here), body: undefined })).json
  expect(rows.at(-1).detail).toBe('scaled to 3, compose file says 1')
  await call(scale, of(here, 'mail', { replicas: 0 }))
  expect(names(here).filter((name) => name.includes('web'))).toHaveLength(3)
  expect(await states(here)).toMatchObject({ web: 'running', mail: 'inactive' })
  await call(deploy, ask(here, { services: ['db'] }))
  expect(names(here).filter((name) => name.includes('web'))).toHaveLength(3)

  const warning = 'service web was scaled to 3 by operator; a deploy sets it to 1'
  const planned = (await call(plan, ask(here))).json
  expect(planned[0]).toMatchObject({ action: 'warning', name: 'web' })
  expect(planned[0].reason).toContain(warning)
  const { json } = await call(deploy, ask(here))
  expect(json.warnings).toContainEqual(expect.stringContaining(warning))
  expect(names(here)).toEqual(['shop-db-1', 'shop-mail-1', 'shop-web-1'])
  expect((await record(here)).verbs).toEqual({})
})

test('200: a deploy that scales keeps the number until the next deploy', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose(), deployed: false })
  const planned = (await call(plan, ask(here, { scale: { web: 2 } }))).json
  expect(planned.map(({ name }: { name: string }) => name)).toContain('shop-web-2')
  const { json } = await call(deploy, ask(here, { scale: { web: 3, mail: 0 } }))
  expect([json.status, json.warnings]).toEqual(['succeeded', []])
  expect(names(here)).toEqual(['shop-db-1', 'shop-web-1', 'shop-web-2', 'shop-web-3'])
  expect(await states(here)).toMatchObject({ web: 'running', mail: 'inactive' })
  await call(scale, of(here, 'db', { replicas: 2 }))
  const again = (await call(deploy, ask(here, { scale: { web: 2 } }))).json
  const resets = ['service mail was scaled to 0', 'service db was scaled to 2']
  expect(again.warnings).toEqual(
    expect.arrayContaining(resets.map((text) => expect.stringContaining(text))),
  )
  expect(again.warnings).toHaveLength(2)
  expect(names(here)).toEqual(['shop-db-1', 'shop-mail-1', 'shop-web-1', 'shop-web-2'])
  expect((await record(here)).verbs).toMatchObject({ web: { verb: 'scale', replicas: 2 } })
  expect((await call(plan, ask(here, { scale: { web: 2 } }))).json).toEqual([])
})

test.each([
  [{ scale: { nope: 1 } }, 404, 'it has no service nope'],
  [{ scale: { constructor: 1 } }, 404, 'it has no service constructor'],
  [{ scale: { web: 1001 } }, 400, 'scale.web'],
  [{ scale: { web: -1 } }, 400, 'scale.web'],
  [{ scale: { web: 1.5 } }, 400, 'scale.web'],
  [{ services: ['db'], scale: { web: 2 } }, 422, 'scale: services does not name web'],
])('a deploy with %j is refused and changes nothing', async (body, code, text) => {
  const here = await given()
  const { executed } = here.engine
  const before = executed.length
  const { status, json } = await call(deploy, ask(here, body))
  expect([status, json.error]).toEqual([code, expect.stringContaining(text)])
  expect(executed).toHaveLength(before)
  expect((await call(plan, ask(here, body))).status).toBe(code)
})

test('422: a deploy that scales what allows one container', async () => {
  const here = world()
  const fixed = `services:
  web: {${busy}, container_name: fixed}
  port: {${busy}, ports: ["8080:80"]}
`
  await givenStack(here, 'shop', { compose: fixed, deployed: false })
  for (const service of ['web', 'port']) {
    const { json } = await call(deploy, ask(here, { scale: { [service]: 2 } }))
    expect([service, json.error]).toEqual([service, expect.stringContaining('one container only')])
  }
})

test('200: a stop and a start keep the number of a scaled service', async () => {
  const here = await given()
  await call(scale, of(here, 'web', { replicas: 2 }))
  await call(stop, { ...of(here, 'web'), body: undefined })
  expect(await states(here)).toMatchObject({ web: 'stopped' })
  expect((await record(here)).verbs?.web).toMatchObject({ verb: 'stop', replicas: 2 })
  await call(scale, of(here, 'web', { replicas: 2 }))
  expect(await states(here)).toMatchObject({ web: 'running' })
})

test('200: scale uses the files of the last deploy, not those of a newer revision', async () => {
  const here = await given()
  await call(update, ask(here, { compose: compose(', environment: {A: b}') }))
  const { json } = await call(scale, of(here, 'web', { replicas: 2 }))
  const done = json.steps.map(({ action }: { action: string }) => action)
  expect(done).toEqual(['create', 'start'])
  expect((await record(here)).written).not.toEqual((await record(here)).files)
})

test('422: more containers than a service or a stack may have', async () => {
  const here = world()
  const fixed = `services:
  web: {${busy}, container_name: fixed}
  db: {${busy}, scale: 2}
  port: {${busy}, ports: ["8080:80"]}
  range: {${busy}, ports: ["8081-8085:80", "90"]}
`
  await givenStack(here, 'shop', { compose: fixed })
  const name = await call(scale, of(here, 'web', { replicas: 2 }))
  expect([name.status, name.json.error]).toEqual([422, expect.stringContaining('container_name')])
  const port = await call(scale, of(here, 'port', { replicas: 2 }))
  expect([port.status, port.json.error]).toEqual([422, expect.stringContaining('port 8080')])
  for (const [service, replicas] of [
    ['port', 0],
    ['port', 1],
    ['range', 2],
  ] as const) {
    expect((await call(scale, of(here, service, { replicas }))).json.status).toBe('succeeded')
  }
  expect((await call(scale, of(here, 'db', { replicas: 1001 }))).status).toBe(400)
  expect((await call(scale, of(here, 'db', { replicas: -1 }))).status).toBe(400)
})

test('404: scale of an unknown service names those that there are', async () => {
  const here = await given()
  const { status, json } = await call(scale, of(here, 'nope', { replicas: 1 }))
  const text = 'stack shop: it has no service nope, it has db, debug, mail, web'
  expect([status, json.error]).toEqual([404, text])
  expect((await call(scale, of(here, 'constructor', { replicas: 1 }))).status).toBe(404)
})

test('200: a service whose profile is not active is scaled, as if it was named in a deploy', async () => {
  const here = await given()
  expect((await call(scale, of(here, 'debug', { replicas: 2 }))).json.status).toBe('succeeded')
  expect(names(here).filter((name) => name.includes('debug'))).toHaveLength(2)
  expect(await states(here)).toMatchObject({ debug: 'running', web: 'running' })
})

test('200: scale of a service with seeds and files in directories that containers write', async () => {
  const here = world()
  const mount = 'volumes: ["./conf:/conf"], env_file: [conf/own.env]'
  const files = {
    'conf/own.env': { content: 'A=1\n' },
    'conf/other': { content: 'x' },
    'conf/debug.env': { content: 'B=1\n' },
  }
  const text = `services:
  web: {${busy}, ${mount}}
  debug: {${busy}, profiles: [tools], env_file: [conf/debug.env]}
`
  const asked = { ports: here.ports, as: 'operator' as const }
  await call(create, { ...asked, body: { name: 'shop', compose: text, files } })
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  for (const service of ['web', 'debug']) {
    const { json } = await call(scale, of(here, service, { replicas: 2 }))
    expect([service, json.status, json.error ?? null]).toEqual([service, 'succeeded', null])
  }
})

test('409: scale while another operation runs', async () => {
  const here = await given()
  const both = [1, 2].map((replicas) => call(scale, of(here, 'web', { replicas })))
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
})

test('202: scale with wait=false is followed', async () => {
  const here = await given()
  const asked = { ...of(here, 'web', { replicas: 2 }), query: { wait: 'false' } }
  expect((await call(scale, asked)).status).toBe(202)
  await here.ports.background.settled()
  expect(names(here).filter((name) => name.includes('web'))).toHaveLength(2)
})

test('404: a scale of a stack with files is refused, and nothing else is rejected', async () => {
  const here = world()
  const body = { name: 'shop', compose: compose(), files: { 'web.conf': { content: 'port 80' } } }
  expect((await call(create, { ports: here.ports, as: 'admin', body })).status).toBe(201)
  expect((await call(scale, of(here, 'none', { replicas: 1 }))).status).toBe(404)
  // A rejection that no code handles would fail the run.
  await new Promise(setImmediate)
})
