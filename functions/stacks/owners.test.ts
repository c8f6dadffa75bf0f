import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { signIn } from '../../local/harness/sign-in.ts'
import { forgetOwners, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import type { Owner } from '../core/records/owner.ts'
import saveSettings from '../settings/update.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import remove from './remove.ts'
import update from './update.ts'

const using = (volumes: string, networks = '{}') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    volumes: ["vol:/v"]
    networks: [n]
volumes:
  vol: ${volumes}
networks:
  n: ${networks}
`
const externally = (name: string) => using(`{ name: ${name}, external: true }`)

type As = NonNullable<Parameters<typeof signIn>[1]>
const deployed = ({ ports }: World, name: string, as: As = 'operator') =>
  call(deploy, { ports, as, path: { name }, body: {} })

const recorded = async ({ ports }: World) =>
  (await ports.owners.list('local')).map(
    ({ kind, name, stack }: Owner) => `${kind} ${name} ${stack}`,
  )

const volumeByHand = ({ engine }: World, name: string, labels = {}) =>
  engine.state.volumes.set(name, { name, labels })

/** Returns a caller who may deploy stacks but not read them. */
const blind = (here: World) => givenRole(here, ['stacks:create', 'stacks:deploy'])

test('a deploy records the resources it creates, and a removal deletes their records', async () => {
  const here = world()
  await givenStack(here)
  const all = ['network shop_default shop', 'volume shop_data shop']
  expect(await recorded(here)).toEqual(all)
  const path = { name: 'shop' }
  await call(remove, { ports: here.ports, as: 'admin', path })
  expect(await recorded(here)).toEqual(['volume shop_data shop'])
  await givenStack(here, 'shop', { deployed: false })
  expect((await deployed(here, 'shop', 'admin')).json.status).toBe('succeeded')
  await call(remove, { ports: here.ports, as: 'admin', path, query: { volumes: true } })
  expect(await recorded(here)).toEqual([])
})

test('a deploy records resources that an earlier version created', async () => {
  const here = world()
  await givenStack(here)
  await forgetOwners(here)
  expect((await deployed(here, 'shop')).json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(await recorded(here)).toEqual(['network shop_default shop', 'volume shop_data shop'])
})

test.each([
  ['external', externally('shop_data')],
  ['by its name', using('{ name: shop_data }')],
  ['a network', using('', '{ name: shop_default, external: true }')],
])(
  '403: uses what another stack owns, without the right to deploy that stack (%s)',
  async (_, compose) => {
    const here = world()
    await givenStack(here)
    await givenStack(here, 'thief', { compose, deployed: false })
    const refused = await deployed(here, 'thief', await blind(here))
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringMatching(/^compose.yaml:\d+:\d+: (volumes\.vol|networks\.n): .*another stack/),
    ])
    expect(refused.text).not.toContain('stack shop')
    expect(here.engine.state.containers.size).toBe(2)
    expect((await deployed(here, 'thief', 'operator')).json.status).toBe('succeeded')
  },
)

test('403: uses what an earlier version created for another stack', async () => {
  const here = world()
  await givenStack(here)
  await forgetOwners(here)
  await givenStack(here, 'thief', { compose: externally('shop_data'), deployed: false })
  expect((await deployed(here, 'thief', await blind(here))).status).toBe(403)
})

test('403: uses a volume without an owner, unless a setting lists it', async () => {
  const here = world()
  volumeByHand(here, 'byhand')
  await givenStack(here, 'thief', { compose: externally('byhand'), deployed: false })
  const { status, json } = await deployed(here, 'thief')
  expect([status, json.error]).toEqual([403, expect.stringContaining('stacks.shared_volumes')])
  const body = { 'stacks.shared_volumes': ['byhand'] }
  await call(saveSettings, { ports: here.ports, as: 'admin', body })
  expect((await deployed(here, 'thief')).json.status).toBe('succeeded')
  expect(await recorded(here)).toEqual(['network thief_n thief'])
})

test('403: the first deploy finds a volume with its labels but without an owner', async () => {
  const here = world()
  const label = 'com.docker.compose'
  volumeByHand(here, 'shop_data', { [`${label}.project`]: 'shop', [`${label}.volume`]: 'data' })
  await givenStack(here, 'shop', { deployed: false })
  expect((await deployed(here, 'shop')).status).toBe(403)
  expect((await deployed(here, 'shop', 'admin')).json.status).toBe('succeeded')
  expect(await recorded(here)).toContain('volume shop_data shop')
})

test('409: two stacks share a default name; the first one deployed keeps it', async () => {
  const here = world()
  const compose = (key: string) => using('').replaceAll(/\bvol\b/g, key)
  await givenStack(here, 'a', { compose: compose('b_cc') })
  await givenStack(here, 'a_b', { compose: compose('cc'), deployed: false })
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await deployed(here, 'a_b', as)
    expect([status, json.error]).toEqual([409, expect.stringContaining('belongs to stack a')])
  }
  const viewed = await call(plan, {
    ports: here.ports,
    as: 'viewer',
    path: { name: 'a_b' },
    body: {},
  })
  expect([viewed.status, viewed.json.error]).toEqual([
    409,
    expect.stringContaining('another stack'),
  ])
})

test.each([
  ['the lease', 1],
  ['the step that creates it', 2],
])('409: another stack takes the name between the plan and %s', async (_what, checks) => {
  const here = world()
  await givenStack(here, 'other', { deployed: false })
  await givenStack(here, 'shop', { deployed: false })
  const { owners, stacks } = here.ports
  const { createdAt } = present(await stacks.find('other'))
  let left = checks
  here.ports.owners = {
    ...owners,
    async find(thing) {
      const found = await owners.find(thing)
      if (thing.kind === 'volume') left -= 1
      if (left === 0) {
        await owners.claim({ ...thing, stack: 'other', stackCreatedAt: createdAt, at: 1 })
      }
      return found
    },
  }
  const { status, json } = await deployed(here, 'shop', 'admin')
  if (checks === 1)
    expect([status, json.error]).toEqual([409, expect.stringContaining('belongs to stack other')])
  else
    expect(json).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('in the meantime'),
    })
  expect(here.engine.state.volumes.size).toBe(0)
  expect(await recorded(here)).toContain('volume shop_data other')
})

/** Creates a resource on the host right before the step that is to create it. */
function appearingFirst({ engine }: World, kind: 'volume' | 'network', labels: object) {
  const { execute } = engine
  engine.execute = async (step, signal) => {
    if (step.kind === kind && step.action === 'create') {
      const things = kind === 'volume' ? engine.state.volumes : engine.state.networks
      things.set(step.name, { id: 'other', name: step.name, labels: { ...labels } })
    }
    return execute(step, signal)
  }
}

const ofProject = (name: string) => ({ 'com.docker.compose.project': name })

test.each([
  ['volume', {}],
  ['volume', ofProject('elsewhere')],
  ['network', ofProject('elsewhere')],
] as const)('a foreign %s created after the plan fails the step: %j', async (kind, labels) => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  appearingFirst(here, kind, labels)
  const { json } = await deployed(here, 'shop')
  expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining(`${kind}`) })
  const made = JSON.stringify([...here.engine.state.containers.values()])
  expect(made).not.toContain(`shop_${kind === 'volume' ? 'data' : 'default'}`)
  expect((await recorded(here)).filter((one) => one.startsWith(kind))).toEqual([])
  if (kind === 'network') return
  expect(json.error).toContain('after the plan was made')
  expect((await deployed(here, 'shop')).status).toBe(403)
})

test('a foreign volume created after the plan is only a warning for privileged callers', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  appearingFirst(here, 'volume', ofProject('elsewhere'))
  const { json } = await deployed(here, 'shop', 'admin')
  expect(json).toMatchObject({ status: 'succeeded' })
  expect(await recorded(here)).toEqual(['network shop_default shop'])
})

test('a volume that docker compose created for the stack after the plan becomes its own', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  appearingFirst(here, 'volume', ofProject('shop'))
  expect((await deployed(here, 'shop')).json).toMatchObject({ status: 'succeeded' })
  expect(await recorded(here)).toContain('volume shop_data shop')
})

test('403: a network of others that only imported files use', async () => {
  const here = world()
  const name = 'portainer_net'
  here.engine.state.networks.set(name, {
    id: `id-of-${name}`,
    name,
    labels: ofProject('portainer'),
  })
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}'
  await givenStack(here, 'shop', { compose })
  const { ports } = here
  const joining = `${compose.slice(0, -2)}, networks: [n]}}
networks: {n: {name: ${name}, external: true}}`
  const body = { compose: joining }
  await call(update, { ports, as: 'operator', path: { name: 'shop' }, body })
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, written: stack.files })
  expect((await deployed(here, 'shop')).status).toBe(403)
})

test('403: uses a volume that replaced its own', async () => {
  const here = world()
  await givenStack(here)
  volumeByHand(here, 'shop_data')
  const { status, json } = await deployed(here, 'shop')
  expect([status, json.error]).toEqual([403, expect.stringContaining('no stack created it')])
  expect((await deployed(here, 'shop', 'admin')).json.status).toBe('succeeded')
})

test('403: the first deploy finds containers of a project with its name', async () => {
  const here = world()
  await givenStack(here)
  await here.ports.stacks.remove('shop')
  await givenStack(here, 'shop', {
    deployed: false,
    compose: shop.replace('sleep 3600', 'sleep 9'),
  })
  const { status, json } = await deployed(here, 'shop')
  expect([status, json.error]).toEqual([403, expect.stringContaining('adopt the project')])
  expect(here.engine.state.containers.size).toBe(2)
})

test('removing a stack that was never deployed keeps resources with its name', async () => {
  const here = world()
  await givenStack(here)
  await here.ports.stacks.remove('shop')
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'admin' as const, path: { name: 'shop' } }
  await call(remove, { ...asked, query: { volumes: true } })
  const { containers, volumes, networks } = here.engine.state
  expect([containers.size, volumes.size, networks.size]).toEqual([2, 1, 1])
})

test('removing a stack keeps resources recorded for another, whatever their labels', async () => {
  const here = world()
  await givenStack(here)
  await forgetOwners(here)
  const thing = { hostId: 'local', kind: 'volume' as const, name: 'shop_data' }
  await here.ports.owners.claim({ ...thing, stack: 'other', at: 1 })
  const asked = { ports: here.ports, as: 'admin' as const, path: { name: 'shop' } }
  await call(remove, { ...asked, query: { volumes: true } })
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
})

test('409: a stack in whose directory the service has files; it can be deleted', async () => {
  const here = world()
  await givenStack(here, 'shop')
  here.engine.own = { ...noInstallation, directories: ['/opt/stacks/shop/.env'] }
  const asked = { ports: here.ports, as: 'operator' as const, path: { name: 'shop' } }
  const { status, headers } = await call(deploy, { ...asked, body: {} })
  expect([status, headers['x-error-reason']]).toEqual([409, 'own-installation'])
  expect((await call(remove, asked)).status).toBe(204)
})
