import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import deploy from '../deploy.ts'
import down from '../down.ts'
import build from './build.ts'
import pull from './pull.ts'
import scale from './scale.ts'

const compose = (more = '') => `services:
  web: {image: "nginx:1", command: sleep 60${more}}
  app: {build: {context: ., dockerfile_inline: "FROM busybox:latest"}, command: sleep 60}
`

const of = ({ ports }: World, service: string, body?: object) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop', service },
  body,
})

/** Operations that load the project: the service that each is asked for, and its body. */
const loading = {
  scale: [scale, 'web', { replicas: 2 }],
  pull: [pull, 'web', undefined],
  build: [build, 'app', undefined],
} as const

const each = Object.entries(loading)

test.each(each)('403: %s of a stack that accesses the host', async (_, [verb, service, body]) => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose(', privileged: true') })
  const before = here.engine.executed.length
  const { status, json } = await call(verb as typeof scale, of(here, service, body))
  const text = 'this needs the permission stacks:privileged'
  expect([status, json.error]).toEqual([403, expect.stringContaining(text)])
  expect(here.engine.executed).toHaveLength(before)
  const asAdmin = { ...of(here, service, body), as: 'admin' as const }
  expect((await call(verb as typeof scale, asAdmin)).json.status).toBe('succeeded')
})

/** Records another stack as the builder of an image of `shop`. */
async function builtByOther(here: World, name: string): Promise<void> {
  await givenStack(here, 'other', { compose: 'services: {a: {image: "busybox:latest"}}' })
  const image = { hostId: 'local', kind: 'image' as const, name: `docker.io/library/${name}` }
  await here.ports.owners.release({ ...image, stack: 'shop' })
  await here.ports.owners.claim({ ...image, stack: 'other', at: 0 })
}

test('409: a build would overwrite a file that was edited on the host', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose() })
  const path = '/opt/stacks/shop/compose.yaml'
  here.engine.state.files.set(path, { path, content: Buffer.from('edited'), mode: 0o644 })
  const { status, json } = await call(build, of(here, 'app'))
  expect([status, json.error]).toEqual([409, expect.stringContaining('compose.yaml')])
})

test('200: down keeps images that other stacks built, and those whose builder is not recorded', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose() })
  const ask = { ports: here.ports, as: 'operator' as const, path: { name: 'shop' } }
  const removed = () =>
    here.engine.executed.filter(({ action, kind }) => action === 'remove' && kind === 'image')
  await builtByOther(here, 'shop-app:latest')
  const body = { images: 'local' }
  const others = (await call(down, { ...ask, body })).json
  expect(others.warnings).toEqual(['image shop-app stays: another stack uses it'])
  const image = {
    hostId: 'local',
    kind: 'image' as const,
    name: 'docker.io/library/shop-app:latest',
  }
  await here.ports.owners.release({ ...image, stack: 'other' })
  const unknown = (await call(down, { ...ask, body })).json
  expect(unknown.warnings).toEqual([
    'image shop-app stays: no record says that this stack built it',
  ])
  expect(removed()).toEqual([])
  expect((await call(deploy, { ...ask, body: {} })).status).toBe(200)
})
