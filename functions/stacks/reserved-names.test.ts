import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import update from './update.ts'

const app = 'image: "busybox:latest", command: sleep 60'
const plain = `services: {app: {${app}}}`

const deployed = ({ ports }: World, name: string, as: TestCaller = 'operator') =>
  call(deploy, { ports, as, path: { name }, body: {} })

test.each(['container-stacks', 'container-stacks-agent'])(
  '403: creates no stack %s without stacks:privileged',
  async (name) => {
    const here = world()
    const body = { name, compose: plain }
    const refused = await call(create, { ports: here.ports, as: 'operator', body })
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringContaining('stacks:privileged'),
    ])
    expect((await call(create, { ports: here.ports, as: 'admin', body })).status).toBe(201)
    // One that an earlier version created, and no account deployed.
    expect((await deployed(here, name)).status).toBe(403)
    expect((await deployed(here, name, 'admin')).json.status).toBe('succeeded')
    expect((await deployed(here, name)).json.status).toBe('succeeded')
  },
)

const uses: [what: string, stack: string, compose: string][] = [
  [
    'volume',
    'mine',
    `services: {app: {${app}, volumes: ["vol:/v"]}}\nvolumes: {vol: {name: container-stacks-agent}}`,
  ],
  [
    'network',
    'mine',
    `services: {app: {${app}, networks: [n]}}\nnetworks: {n: {name: container-stacks_store}}`,
  ],
  ['container', 'mine', `services: {app: {${app}, container_name: container-stacks-service-1}}`],
  ['container by its default name', 'container', `services: {stacks-service: {${app}}}`],
  ['image', 'mine', 'services: {app: {image: "container-stacks:latest", build: .}}'],
  ['image by its default name', 'container', 'services: {stacks: {build: .}}'],
  [
    'image in a registry',
    'mine',
    'services: {app: {image: "ghcr.io/a/container-stacks", build: .}}',
  ],
  [
    'tag of a build',
    'mine',
    'services: {app: {image: app, build: {context: ., tags: ["container-stacks-agent"]}}}',
  ],
]

test.each(uses)('403: deploys no reserved %s without stacks:privileged', async (...row) => {
  const [, name, compose] = row
  const here = world()
  await givenStack(here, name, { compose, deployed: false })
  const { status, json } = await deployed(here, name)
  expect([status, json.error]).toEqual([
    403,
    expect.stringContaining('names that begin with container-stacks'),
  ])
  expect(here.engine.executed).toEqual([])
})

test.each(uses.slice(0, 4))(
  'a stack that used a reserved %s before goes on, and takes no other',
  async (...row) => {
    const [, name, compose] = row
    const here = world()
    await givenStack(here, name, { compose })
    // All of it is made again.
    const { state } = here.engine
    for (const things of [state.containers, state.volumes, state.networks]) things.clear()
    await here.ports.owners.removeByStack('local', name)
    state.touch()
    const saved = await call(update, {
      ports: here.ports,
      as: 'operator',
      path: { name },
      body: { compose: compose.replaceAll('sleep 60', 'sleep 61') },
    })
    expect(saved.status).toBe(200)
    expect((await deployed(here, name)).json).toMatchObject({ status: 'succeeded' })
    const other = compose.replaceAll(/(container-stacks|stacks)([-_])/g, '$1$2other')
    await call(update, {
      ports: here.ports,
      as: 'operator',
      path: { name },
      body: { compose: other },
    })
    expect((await deployed(here, name)).status).toBe(403)
  },
)

test('runs an image of the service, and builds from it', async () => {
  const here = world()
  const { state } = here.engine
  state.images.set('container-stacks:latest', present(state.images.get('busybox:latest')))
  const compose = 'services: {app: {image: "container-stacks:latest", command: sleep 60}}'
  await givenStack(here, 'mine', { compose, deployed: false })
  expect((await deployed(here, 'mine')).json.status).toBe('succeeded')
})
