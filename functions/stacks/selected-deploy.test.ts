import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import statusOf from './status.ts'
import stopStack from './stop.ts'
import update from './update.ts'

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

async function given({ deployed = true } = {}) {
  const here = world()
  await givenStack(here, 'shop', { compose: compose(), deployed })
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

test('200: deploys a service with its dependencies; the others are inactive', async () => {
  const here = await given({ deployed: false })
  const { json } = await call(deploy, ask(here, { services: ['web'] }))
  expect([json.status, json.services]).toEqual(['succeeded', ['web']])
  expect(names(here)).toEqual(['shop-db-1', 'shop-web-1'])
  expect(await states(here)).toEqual({ db: 'running', web: 'running', mail: 'inactive' })
  expect(Object.keys(json.images).sort()).toEqual(['db', 'web'])
  await call(deploy, ask(here))
  expect(await states(here)).toEqual({ db: 'running', web: 'running', mail: 'running' })
})

test('200: deploys a service without its dependencies', async () => {
  const here = await given({ deployed: false })
  await call(deploy, ask(here, { services: ['web'], dependencies: false }))
  expect(names(here)).toEqual(['shop-web-1'])
  const [web] = [...here.engine.state.containers.values()]
  const labels = present(web).body.Labels as Record<string, string>
  expect(labels['com.docker.compose.depends_on']).toBe('')
})

test('200: leaves other services, their expectations, images and volumes alone', async () => {
  const here = await given()
  const before = await record(here)
  const files = compose(', environment: {A: b}').replaceAll('mail: {', 'mail: {user: "1", ')
  await call(update, ask(here, { compose: files }))
  const { json } = await call(deploy, ask(here, { services: ['web'], remove_orphans: true }))
  expect(json.steps.map(({ name }: { name: string }) => name)).not.toContain('shop-mail-1')
  expect(names(here)).toEqual(['shop-db-1', 'shop-mail-1', 'shop-web-1'])
  const after = await record(here)
  expect(after.services).toEqual(before.services)
  expect(after.images).toEqual(before.images)
  expect(after.written).toEqual(after.files)
  expect(Object.keys(json.images).sort()).toEqual(['db', 'mail', 'web'])
  const { json: rest } = await call(plan, ask(here))
  expect(rest).toMatchObject([
    { action: 'recreate', reason: expect.stringContaining('user') },
    ...['stop', 'remove', 'rename', 'start'].map((action) => ({ action })),
  ])
})

test('200: repeating a deploy of services makes no Engine call', async () => {
  const here = await given({ deployed: false })
  await call(deploy, ask(here, { services: ['web'] }))
  const before = here.engine.executed.length
  const { json } = await call(deploy, ask(here, { services: ['web'] }))
  expect([json.status, json.steps]).toEqual(['succeeded', []])
  expect(here.engine.executed).toHaveLength(before)
})

test('200: after a stop, a deploy of one service keeps the volumes of the others', async () => {
  const here = await given()
  const kept = async () => Object.keys((await record(here)).keptVolumes)
  await call(stopStack, { ...ask(here), body: undefined })
  const volumes = await kept()
  await call(deploy, ask(here, { services: ['mail'] }))
  expect(await kept()).toEqual(volumes)
  expect(await states(here)).toEqual({ db: 'stopped', web: 'stopped', mail: 'running' })
})

test('200: a forced deploy recreates the named services alone', async () => {
  const here = await given()
  const { json } = await call(deploy, ask(here, { services: ['web'], force_recreate: true }))
  const recreated = json.steps.filter(({ action }: { action: string }) => action === 'recreate')
  expect(recreated).toMatchObject([{ name: expect.stringContaining('shop-web-1') }])
})

test('200: a rollback restores what a deploy of some services left behind', async () => {
  const here = await given()
  const [first] = await here.ports.deployments.listByStack('shop', 1)
  await call(update, ask(here, { compose: compose(', environment: {A: b}') }))
  const partial = (await call(deploy, ask(here, { services: ['web'] }))).json
  await call(rollback, ask(here, { deployment_id: present(first).id }))
  expect(names(here)).toEqual(['shop-db-1', 'shop-mail-1', 'shop-web-1'])
  expect((await call(plan, ask(here))).json).toEqual([])
  const back = (await call(rollback, ask(here, { deployment_id: partial.id }))).json
  expect([back.status, back.services.sort()]).toEqual(['succeeded', ['db', 'mail', 'web']])
  expect((await call(plan, ask(here))).json).toEqual([])
})

test('200: profiles are recorded, so that plans and deploys use the same', async () => {
  const here = await given()
  const { json } = await call(deploy, ask(here, { profiles: ['tools'] }))
  expect(json.profiles).toEqual(['tools'])
  expect(await states(here)).toMatchObject({ debug: 'running' })
  expect((await call(plan, ask(here))).json).toEqual([])
  expect((await call(deploy, ask(here))).json).toMatchObject({ profiles: ['tools'], steps: [] })
  expect((await call(deploy, ask(here, { profiles: [] }))).json.profiles).toEqual([])
  expect(await states(here)).toMatchObject({ debug: 'inactive', web: 'running' })
})

test('200: naming a service activates its profile', async () => {
  const here = await given()
  await call(deploy, ask(here, { services: ['debug'] }))
  expect(names(here)).toContain('shop-debug-1')
  expect(await states(here)).toMatchObject({ debug: 'running', web: 'running' })
})

test('422: naming a service activates its own profiles, not others of the services that are up', async () => {
  const here = world()
  const files = `services:
  web: {${busy}, profiles: [front, back]}
  db: {${busy}, profiles: [back]}
  debug: {${busy}, profiles: [tools], depends_on: [db]}
`
  await givenStack(here, 'shop', { compose: files, deployed: false })
  expect((await call(deploy, ask(here, { profiles: ['front'] }))).json.status).toBe('succeeded')
  const refused = await call(deploy, ask(here, { services: ['debug'] }))
  expect([refused.status, refused.json.error]).toEqual([422, expect.stringContaining('db')])
  const alone = { services: ['debug'], dependencies: false }
  expect((await call(deploy, ask(here, alone))).status).toBe(422)
  const both = await call(deploy, ask(here, { services: ['debug'], profiles: ['front', 'back'] }))
  expect([both.json.status, both.json.profiles]).toEqual(['succeeded', ['front', 'back']])
})

test('200: COMPOSE_PROFILES of .env stays active when a service of another profile is named', async () => {
  const here = world()
  const files = `services:
  web: {${busy}, profiles: [front]}
  debug: {${busy}, profiles: [tools], depends_on: [web]}
`
  await givenStack(here, 'shop', { compose: files, deployed: false })
  const env = { ...ask(here, { env: 'COMPOSE_PROFILES=front\n' }), as: 'admin' as const }
  expect((await call(update, env)).status).toBe(200)
  const { json } = await call(deploy, ask(here, { services: ['debug'] }))
  expect([json.status, json.error]).toEqual(['succeeded', null])
  expect(names(here)).toEqual(['shop-debug-1', 'shop-web-1'])
})

test('200: a stop timeout reaches the containers that are replaced', async () => {
  const here = await given()
  await call(deploy, ask(here, { force_recreate: true, timeout_seconds: 0 }))
  const stops = here.engine.executed.filter(({ action }) => action === 'stop')
  expect(stops).toHaveLength(3)
  expect(stops.every((step) => 'timeoutSeconds' in step && step.timeoutSeconds === 0)).toBe(true)
})

test('404, 422: names the unknown service or profile', async () => {
  const here = await given({ deployed: false })
  for (const handler of [deploy, plan]) {
    const service = await call(handler, ask(here, { services: ['nope'] }))
    const text = 'stack shop: it has no service nope, it has db, debug, mail, web'
    expect([service.status, service.json.error]).toEqual([404, text])
    const profile = await call(handler, ask(here, { profiles: ['none'] }))
    expect([profile.status, profile.json.error]).toEqual([422, expect.stringContaining('"none"')])
  }
})

test('200: warns of services left out that lose the network of a replaced container', async () => {
  const here = world()
  const files = `services:
  vpn: {${busy}}
  torrent: {${busy}, network_mode: "service:vpn"}
  probe: {${busy}, depends_on: {torrent: {condition: service_started, restart: true}}}
  web: {${busy}, depends_on: [vpn]}
  off: {${busy}, network_mode: "service:vpn", scale: 0}
`
  await givenStack(here, 'shop', { compose: files })
  // Its label names no dependencies after this.
  const alone = { services: ['torrent'], dependencies: false, force_recreate: true }
  expect((await call(deploy, ask(here, alone))).json.warnings).toEqual([
    expect.stringContaining('service probe: it is left out'),
  ])
  const warnings = async (services: string[]) => {
    const { json } = await call(plan, ask(here, { services, force_recreate: true }))
    return json.flatMap((step: { action: string; reason: string }) =>
      step.action === 'warning' ? step.reason : [],
    )
  }
  const text = (name: string) => expect.stringMatching(new RegExp(`^service ${name}: .*\\(vpn\\)`))
  expect(await warnings(['vpn'])).toEqual([text('probe'), text('torrent')])
  expect(await warnings(['vpn', 'torrent', 'probe'])).toEqual([])
  // Its dependency `vpn` stays as it is.
  expect(await warnings(['web'])).toEqual([])
})
