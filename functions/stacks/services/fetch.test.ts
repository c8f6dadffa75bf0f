import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import update from '../update.ts'
import build from './build.ts'
import pull from './pull.ts'

const compose = `services:
  web: {image: "nginx:1", command: sleep 60}
  app: {build: {context: ., dockerfile_inline: "FROM busybox:latest"}, command: sleep 60}
`

const ask = ({ ports }: World, service: string, more: object = {}) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop', service },
  ...more,
})

async function given() {
  const here = world()
  await givenStack(here, 'shop', { compose })
  return here
}

test('200: pulls the image of a service, also if the host has it', async () => {
  const here = await given()
  const { json } = await call(pull, ask(here, 'web'))
  expect(json).toMatchObject({ status: 'succeeded', kind: 'pull', services: ['web'] })
  expect(json.steps).toMatchObject([{ action: 'pull', name: 'nginx:1', status: 'done' }])
})

test('200: builds the image of a service, also if the host has it', async () => {
  const here = await given()
  const { json } = await call(build, ask(here, 'app'))
  expect(json).toMatchObject({ status: 'succeeded', kind: 'build' })
  expect(json.steps).toMatchObject([{ action: 'build', name: 'shop-app', status: 'done' }])
})

test('200: a build writes the files of the stack first', async () => {
  const here = await given()
  const { ports } = here
  const body = { compose: compose.replace('sleep 60}', 'sleep 61}') }
  await call(update, { ports, as: 'operator', path: { name: 'shop' }, body })
  const { json } = await call(build, ask(here, 'app'))
  expect(json.steps).toMatchObject([{ action: 'write' }, { action: 'build' }])
  const stack = await ports.stacks.find('shop')
  expect(stack?.written).toEqual(stack?.files)
})

test('200: builds without the cache if asked', async () => {
  const here = await given()
  for (const no_cache of [false, true]) {
    const { json } = await call(build, ask(here, 'app', { body: { no_cache } }))
    expect([json.status, json.error]).toEqual(['succeeded', null])
  }
  const built = here.engine.executed.filter(({ action }) => action === 'build').slice(-2)
  expect(built).toMatchObject([
    { build: { options: expect.not.objectContaining({ nocache: true }) } },
    { build: { options: { nocache: true } } },
  ])
  expect((await call(build, ask(here, 'app', { body: { args: {} } }))).status).toBe(400)
})

test('200: says what it does not pull or build', async () => {
  const here = await given()
  const pulled = (await call(pull, ask(here, 'app'))).json
  expect([pulled.steps, pulled.warnings]).toEqual([
    [],
    ['service app: its image is built, so it is not pulled'],
  ])
  const built = (await call(build, ask(here, 'web'))).json
  expect([built.steps, built.warnings]).toEqual([[], ['service web: it has no build section']])
})

test('409: a build under a name that another stack builds', async () => {
  const here = await given()
  const image = {
    hostId: 'local',
    kind: 'image' as const,
    name: 'docker.io/library/shop-app:latest',
  }
  await here.ports.owners.release({ ...image, stack: 'shop' })
  await givenStack(here, 'other', { compose: 'services: {a: {image: "busybox:latest"}}' })
  await here.ports.owners.claim({ ...image, stack: 'other', at: 0 })
  expect((await call(build, ask(here, 'app'))).status).toBe(409)
})

test('200: pulls and builds for services whose profile is not active, and that are new', async () => {
  const here = await given()
  const more = `  debug: {image: "nginx:1", profiles: [tools]}
  tool: {build: {context: ., dockerfile_inline: "FROM busybox:latest"}, profiles: [tools]}
  fresh: {image: "nginx:1"}
`
  const body = { compose: compose + more }
  await call(update, { ports: here.ports, as: 'operator', path: { name: 'shop' }, body })
  for (const service of ['debug', 'fresh']) {
    expect((await call(pull, ask(here, service))).json).toMatchObject({
      status: 'succeeded',
      services: [service],
      steps: [{ action: 'pull', name: 'nginx:1' }],
    })
  }
  const built = (await call(build, ask(here, 'tool'))).json
  expect([built.status, built.error]).toEqual(['succeeded', null])
})

const each = Object.entries({ pull, build })

test.each(each)('422: %s with files that do not load', async (_, verb) => {
  const here = await given()
  const stack = await here.ports.stacks.find('shop')
  if (!stack) throw new Error('no stack')
  const broken = await here.ports.texts.put('services: {web: {image: 1}}')
  await here.ports.stacks.replace({ ...stack, files: { ...stack.files, compose: broken } })
  expect((await call(verb, ask(here, 'web'))).status).toBe(422)
})

test.each(each)('404: %s of an unknown service', async (_, verb) => {
  expect((await call(verb, ask(await given(), 'nope'))).status).toBe(404)
})

test.each(each)('202: %s with wait=false is followed', async (_, verb) => {
  const here = await given()
  const begun = await call(verb, ask(here, 'web', { query: { wait: 'false' } }))
  expect([begun.status, begun.json]).toMatchObject([202, { status: 'running', services: ['web'] }])
  await here.ports.background.settled()
  const [newest] = await here.ports.deployments.listByStack('shop', 1)
  expect(newest).toMatchObject({ id: begun.json.id, status: 'succeeded' })
})

test.each(each)('409: %s while another operation runs', async (_, verb) => {
  const here = await given()
  const answers = await Promise.all([call(verb, ask(here, 'web')), call(verb, ask(here, 'web'))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})
