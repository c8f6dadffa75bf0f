import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { unprocessable } from '../core/errors.ts'
import deploy from './deploy.ts'
import down from './down.ts'
import getStack from './get.ts'
import plan from './plan.ts'
import remove from './remove.ts'

const ask = ({ ports }: World, body: object = {}, name = 'shop') => ({
  ports,
  as: 'operator' as const,
  path: { name },
  body,
})

const record = async ({ ports }: World) => present(await ports.stacks.find('shop'))

test('200: removes containers and networks, keeps volumes; the stack stays saved', async () => {
  const here = world()
  await givenStack(here)
  const { json } = await call(down, ask(here))
  expect([json.status, json.kind]).toEqual(['succeeded', 'down'])
  const { containers, networks, volumes } = here.engine.state
  expect(containers.size).toBe(0)
  expect([...networks.keys()]).not.toContain('shop_default')
  expect([...volumes.keys()]).toContain('shop_data')
  const after = (await call(getStack, { ...ask(here), body: undefined })).json
  expect([after.status, after.services]).toEqual([
    'not_deployed',
    { total: 2, running: 0, unhealthy: 0 },
  ])
  expect(await record(here)).toMatchObject({ deployed: false, down: true, verbs: {} })
})

test('200: a deploy brings the stack up again, a second down changes nothing', async () => {
  const here = world()
  await givenStack(here)
  await call(down, ask(here))
  expect((await call(down, ask(here))).json).toMatchObject({ status: 'succeeded', steps: [] })
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  const after = (await call(getStack, { ...ask(here), body: undefined })).json
  expect(after.status).toBe('running')
  expect((await call(plan, ask(here))).json).toEqual([])
})

test('200: removes volumes if asked, except those recorded for another stack', async () => {
  const here = world()
  const compose = shop
    .replace('  data:\n', '  data:\n  more:\n')
    .replace('"data:/data"', '"data:/data", "more:/more"')
  await givenStack(here, 'shop', { compose })
  const more = { hostId: 'local', kind: 'volume' as const, name: 'shop_more' }
  await here.ports.owners.release({ ...more, stack: 'shop' })
  await here.ports.owners.claim({ ...more, stack: 'other', at: 0 })
  const { json } = await call(down, ask(here, { volumes: true }))
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_more'])
  expect(json.warnings).toEqual([
    'volume shop_more stays: it does not belong to this stack: `cli volumes delete shop_more` ' +
      'removes it, with the right to deploy its stack, or stacks:privileged',
  ])
})

/** Returns a world with a stack, and a volume of an earlier one of its name. */
async function withLeftVolume(compose: string) {
  const here = world()
  await givenStack(here)
  await call(remove, { ...ask(here), body: undefined })
  here.ports.clock.advance(1000)
  await givenStack(here, 'shop', { compose })
  return here
}

const plain = 'services: {web: {image: "busybox:latest", command: sleep 60}}'

test('200: removes volumes that an earlier stack of the name left', async () => {
  for (const as of ['operator', 'admin'] as const) {
    const here = await withLeftVolume(plain)
    await call(down, { ...ask(here, { volumes: true }), as })
    expect([...here.engine.state.volumes.keys()]).toEqual([])
  }
})

const unready = {
  'that are external, for a service whose profile is not active': {
    compose: `services:
  web: {image: "busybox:latest", command: sleep 60}
  job: {image: "busybox:latest", profiles: [jobs], volumes: ["data:/data"]}
volumes: {data: {name: shop_data, external: true}}`,
    why: 'the files say that it is external',
  },
  'if the files do not load': {
    meanwhile({ ports }: World) {
      ports.composer.load = async () => {
        throw unprocessable('compose.yaml: X is not set')
      }
    },
    why: 'the files, which may need it, do not load',
  },
  'if it cannot be planned with the files': {
    meanwhile({ ports }: World) {
      const { plan } = ports.composer
      ports.composer.plan = async (question) => {
        if (question.project) throw unprocessable('it takes too long')
        return plan(question)
      }
    },
    why: 'the removal could not be planned with the files',
  },
}

test.each(
  Object.entries<{ compose?: string; meanwhile?(here: World): void; why: string }>(unready),
)('200: keeps volumes that an earlier stack left %s', async (_, given) => {
  for (const as of ['operator', 'admin'] as const) {
    const here = await withLeftVolume(given.compose ?? plain)
    given.meanwhile?.(here)
    const { json } = await call(down, { ...ask(here, { volumes: true }), as })
    expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
    expect([json.status, json.warnings]).toEqual([
      'succeeded',
      [expect.stringContaining(`left it, and ${given.why}: \`cli volumes delete shop_data\``)],
    ])
  }
})

test('200: keeps images that no stack built, without stacks:privileged', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: 'services: {a: {image: "nginx:1"}}' })
  const { json } = await call(down, ask(here, { images: 'all' }))
  expect([json.status, json.warnings]).toEqual([
    'succeeded',
    ['image nginx:1 stays: no stack built it, and removing it requires stacks:privileged'],
  ])
  expect(here.engine.state.images.has('nginx:1')).toBe(true)
})

test('200: removes all images, except those that other stacks use', async () => {
  const here = world()
  const two = 'services: {a: {image: "nginx:1"}, b: {image: "busybox:latest", command: sleep 9}}'
  await givenStack(here, 'shop', { compose: two })
  await givenStack(here, 'other', { compose: 'services: {b: {image: "busybox:latest"}}' })
  const before = here.engine.executed.length
  const { json } = await call(down, { ...ask(here, { images: 'all' }), as: 'admin' })
  expect(json.status).toBe('succeeded')
  const removed = here.engine.executed.slice(before).filter(({ kind }) => kind === 'image')
  expect(removed).toMatchObject([{ action: 'remove', name: 'nginx:1' }])
  expect(json.warnings).toEqual(['image busybox:latest stays: another stack uses it'])
  expect(Object.keys((await record(here)).images ?? {}).join()).not.toContain('nginx')
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
})

test('200: with local it keeps images that have a name in the file', async () => {
  const here = world()
  await givenStack(here)
  const { json } = await call(down, ask(here, { images: 'local' }))
  expect(json.steps.some(({ kind }: { kind: string }) => kind === 'image')).toBe(false)
})

test('200: a stack that was never deployed stays as it is', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  expect((await call(down, ask(here, { volumes: true }))).json.steps).toEqual([])
})

test('202: down with wait=false is followed', async () => {
  const here = world()
  await givenStack(here)
  expect((await call(down, { ...ask(here), query: { wait: 'false' } })).status).toBe(202)
  await here.ports.background.settled()
  expect(here.engine.state.containers.size).toBe(0)
})

test('400: an unknown kind of images', async () => {
  expect((await call(down, ask(world(), { images: 'some' }))).status).toBe(400)
})

test('409: a deployment is running', async () => {
  const here = world()
  await givenStack(here)
  const answers = await Promise.all([call(down, ask(here)), call(down, ask(here))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})
