import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenContainer, givenStack, type World, world } from '../../local/harness/world.ts'
import { plainOptions } from '../core/deploy/request.ts'
import type { Deployment } from '../core/records/deployment.ts'
import { storeTree } from '../core/stacks/tree.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import recover from './recover-deployments.ts'
import rollback from './rollback.ts'
import build from './services/build.ts'
import run from './services/run.ts'
import scale from './services/scale.ts'
import update from './update.ts'

const path = { name: 'thief' }
const accept_references = ['volume:byhand']

const web = 'image: thief-web, build: {dockerfile_inline: "FROM busybox"}, command: sleep 60'
const plain = `services: {web: {${web}}}`
const mounting = `services: {web: {${web}, volumes: ["vol:/v"]}}
volumes: {vol: {name: byhand, external: true}}`

const saves = ({ ports }: World, compose: string) =>
  call(update, { ports, as: 'operator', path, body: { compose } })
const deploys = ({ ports }: World, as: TestCaller = 'admin', body: object = {}) =>
  call(deploy, { ports, as, path, route: 'POST /stacks/{name}/deploy', body })

/** A stack of an operator, and a volume that no stack created. */
async function given(compose: string) {
  const here = world()
  const { ports, engine } = here
  engine.state.volumes.set('byhand', { name: 'byhand', labels: {} })
  engine.state.networks.set('proxy', { id: 'n1', name: 'proxy', labels: {} })
  await call(create, { ports, as: 'operator', body: { ...path, compose } })
  return here
}

test('409: a rollback asks again, and takes the names', async () => {
  const here = await given(mounting)
  const { ports } = here
  const first = await deploys(here, 'admin', { accept_references })
  await saves(here, plain)
  expect((await deploys(here)).json.status).toBe('succeeded')
  const body = { deployment_id: first.json.id }
  const asked = await call(rollback, { ports, as: 'admin', path, body })
  expect([asked.status, asked.json.error]).toEqual([
    409,
    expect.stringContaining('set accept_references to ["volume:byhand"]'),
  ])
  const accepted = { ...body, accept_references }
  const done = await call(rollback, { ports, as: 'admin', path, body: accepted })
  expect(done.json.status).toBe('succeeded')
  expect((await deploys(here)).json.status).toBe('succeeded')
})

test('409: files that only a build wrote do not run', async () => {
  const here = await given(plain)
  const { ports } = here
  expect((await deploys(here)).json.status).toBe('succeeded')
  await saves(here, mounting)
  const ofWeb = { ports, path: { ...path, service: 'web' } }
  expect((await call(build, { ...ofWeb, as: 'operator', body: {} })).json.status).toBe('succeeded')
  const answers = [
    await call(scale, { ...ofWeb, as: 'admin', body: { replicas: 2 } }),
    await call(run, { ...ofWeb, as: 'admin', body: {} }),
    await call(build, { ...ofWeb, as: 'admin', body: {} }),
  ]
  for (const { status, json } of answers) {
    expect([status, json.error]).toEqual([
      409,
      expect.stringContaining('deploy the stack first, with accept_references'),
    ])
  }
  expect((await deploys(here, 'admin', { accept_references })).json.status).toBe('succeeded')
  expect((await call(scale, { ...ofWeb, as: 'admin', body: { replicas: 2 } })).status).toBe(200)
})

test.each([
  ['a deploy that accepted it is taken up', accept_references, 'succeeded'],
  ['one that accepted something else is not', ['volume:other'], 'interrupted'],
])('after a crash %s', async (_, acceptReferences, expected) => {
  const here = await given(mounting)
  const { ports } = here
  const { files } = present(await ports.stacks.find('thief'))
  const { fence } = present(await ports.leases.acquire('stack:thief', 'process-0/dead', 10_000))
  const died: Deployment = {
    id: ports.random.id(),
    kind: 'deploy',
    stack: 'thief',
    hostId: 'local',
    environment: null,
    contentRevision: 1,
    files,
    options: { ...plainOptions, acceptReferences },
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by: 'admin',
    fence,
    reach: 'host',
    steps: [],
    images: {},
  }
  await ports.deployments.create(died)
  ports.clock.advance(10_001)
  await recover.with(ports)()
  await ports.background.settled()
  expect((await ports.deployments.find('thief', died.id))?.status).toBe(expected)
})

test('the audit row of the deploy has the accepted names', async () => {
  const here = await given(mounting)
  await deploys(here, 'admin', { accept_references })
  const { rows } = await here.ports.audit.after(0)
  const [row] = rows.filter(({ action }) => action === 'stacks.deploy')
  expect(row?.values).toMatchObject({ accept_references })
})

test('409: asks for a link that leads through what containers can write', async () => {
  const compose = `services: {web: {image: "busybox:latest", command: sleep 60, volumes: ["./data:/d"]}}`
  const here = await given(compose)
  const { ports } = here
  const stack = present(await ports.stacks.find('thief'))
  const tree = await storeTree({ conf: { link: 'data/x' } }, ports)
  const files = { ...stack.files, ...(tree !== undefined && { tree }) }
  await ports.stacks.replace({ ...stack, files })
  const { status, json } = await deploys(here)
  expect([status, json.error]).toEqual([409, expect.stringContaining('link:conf')])
  const accepted = await deploys(here, 'admin', { accept_references: ['link:conf'] })
  expect(accepted.json.status).toBe('succeeded')
  expect((await deploys(here)).json.status).toBe('succeeded')
})

test('409: asks for a name of the service', async () => {
  const here = await given(
    'services: {web: {image: "busybox:latest", container_name: container-stacks-x}}',
  )
  const { status, json } = await deploys(here)
  expect([status, json.error]).toEqual([
    409,
    expect.stringContaining('container:container-stacks-x'),
  ])
})

test('409: asks for an image of another stack, and for a name in a network of others', async () => {
  const image =
    'services: {web: {image: shop-app, command: sleep 60, networks: {n: {aliases: [db]}}}}'
  const here = await given(`${image}\nnetworks: {n: {name: proxy, external: true}}`)
  await givenStack(here, 'shop', {
    compose: 'services: {app: {build: {dockerfile_inline: "FROM busybox"}}}',
    deployed: false,
  })
  const { ports } = here
  await here.engine.writeFiles('/opt/stacks/shop', [
    { path: 'part', content: Buffer.from('shop'), mode: 0o644 },
  ])
  const shop = await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: {} })
  expect(shop.json.status).toBe('succeeded')
  await givenContainer(here, 'db', {
    hostConfig: { NetworkMode: 'proxy' },
  })
  const chosen = { on_drift: 'import' }
  const { status, json } = await deploys(here, 'admin', chosen)
  expect([status, json.error]).toEqual([409, expect.stringContaining('name:db@proxy')])
  const role = await ports.accounts.findByUsername('operator')
  await ports.accounts.replace({ ...present(role), disabled: true })
  expect((await deploys(here, 'admin', chosen)).json.error).toContain('image:shop-app')
  const all = { ...chosen, accept_references: ['image:shop-app', 'name:db@proxy'] }
  expect((await deploys(here, 'admin', all)).json.status).toBe('succeeded')
})
