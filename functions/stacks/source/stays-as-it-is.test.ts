import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { bundleOf, runAdoption } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { changedShop, givenFollowed, olga, path } from '../../../local/harness/followed-source.ts'
import { shop } from '../../../local/harness/world.ts'
import kill from '../../containers/kill.ts'
import deploy from '../deploy.ts'
import listDeployments from '../deployments/list.ts'
import down from '../down.ts'
import getStack from '../get.ts'
import rollback from '../rollback.ts'
import stop from '../stop.ts'
import get from './get.ts'

type Given = Awaited<ReturnType<typeof givenFollowed>>

/** The files of the stack with another command of `web`, so that a deploy replaces it. */
const otherShop = changedShop.replaceAll('sleep 3600', 'sleep 7200')

const shown = async ({ ports }: Given) => (await call(get, { ports, as: 'viewer', path })).json
const stackOf = async ({ ports }: Given) => (await call(getStack, { ports, as: olga, path })).json
const deployments = async ({ ports }: Given): Promise<Json[]> =>
  (await call(listDeployments, { ports, as: 'viewer', path })).json
const followed = async (given: Given) =>
  (await deployments(given)).filter(({ cause }) => cause === 'source')
const containers = ({ here }: Given) =>
  [...here.engine.state.containers.values()]
    .map(({ id, name, state, startedAt, runs }) => [name, id, state, startedAt, runs].join(' '))
    .toSorted()

function ends({ status, text }: { status: number; text: string }) {
  expect([status, text]).toEqual([200, expect.any(String)])
}

/** Writes a file of the stack on its host, as a person does there. */
function edit({ here }: Given, name: string, content: string) {
  const file = { path: name, content: Buffer.from(content), mode: 0o644 }
  here.engine.state.files.set(`/opt/stacks/shop/${name}`, file)
}

interface Case {
  name: string
  /** Brings the stack into a state, after it followed its source. */
  arrange(given: Given): Promise<unknown>
  /** What the stack has after the push. */
  compose: string
  status: string
  reason?: string
  /** Deployments that syncs have begun by then. */
  begun?: number
}

const cases: Case[] = [
  {
    name: 'stopped',
    arrange: async ({ ports }) => ends(await call(stop, { ports, as: olga, path })),
    compose: otherShop,
    status: 'stopped',
  },
  {
    name: 'down',
    arrange: async ({ ports }) => ends(await call(down, { ports, as: olga, path, body: {} })),
    compose: otherShop,
    status: 'not_deployed',
  },
  {
    name: 'edited on its host',
    arrange: async (given) => edit(given, 'compose.yaml', 'services: {}'),
    compose: otherShop,
    status: 'running',
    reason: 'drift',
  },
  {
    name: 'rolled back from what is pushed again',
    async arrange(given) {
      const { ports, publish, run } = given
      const first = present((await deployments(given)).at(-1)).id
      publish('pushed-before', { 'compose.yaml': otherShop }, 'the tree')
      await run()
      const body = { deployment_id: first }
      ends(await call(rollback, { ports, as: olga, path, body }))
    },
    compose: shop,
    status: 'running',
    begun: 1,
  },
]

test.each(cases)('no container of a stack is touched that is $name', async (one) => {
  const given = await givenFollowed({})
  await given.run()
  await one.arrange(given)
  const before = containers(given)
  given.publish('pushed', { 'compose.yaml': otherShop }, 'the tree')
  for (let runs = 0; runs < 3; runs += 1) await given.run()
  expect(containers(given)).toEqual(before)
  expect(await stackOf(given)).toMatchObject({ compose: one.compose, status: one.status })
  expect((await shown(given)).last_error?.reason).toBe(one.reason)
  expect(await followed(given)).toHaveLength(one.begun ?? 0)
})

test('a file that was edited on the host is named, and what else is there is not', async () => {
  const given = await givenFollowed({})
  given.publish('r1', { 'compose.yaml': shop, 'a.conf': 'a', 'b.conf': 'b' })
  await given.run()
  edit(given, 'a.conf', 'mine')
  given.publish('r2', { 'compose.yaml': otherShop, 'a.conf': 'c', 'b.conf': 'd' })
  await given.run()
  const { last_error: error } = await shown(given)
  expect(error).toMatchObject({ reason: 'drift', message: expect.stringContaining('a.conf') })
  expect(error.message).not.toContain('b.conf')
})

test('an adopted stack with equal files keeps its containers, and follows the next push', async () => {
  const given = await givenFollowed()
  const { here, ports } = given
  const before = containers(given)
  await ports.stacks.remove('shop')
  const adopted = await runAdoption(here, await bundleOf({ 'compose.yaml': shop }))
  expect([adopted.status, adopted.text]).toEqual([201, expect.any(String)])
  expect((await given.bind()).status).toBe(200)
  const { revision } = await stackOf(given)
  await given.run()
  await given.run()
  expect(containers(given)).toEqual(before)
  expect(await followed(given)).toEqual([])
  expect(await stackOf(given)).toMatchObject({ revision, source: { synced: { revision: 'r1' } } })
  given.publish('r2', { 'compose.yaml': otherShop })
  await given.run()
  expect(await followed(given)).toMatchObject([{ status: 'succeeded' }])
  expect(containers(given)).not.toEqual(before)
})

test('a container that a person killed is not started for equal files', async () => {
  const given = await givenFollowed({})
  await given.run()
  const [first] = given.here.engine.state.containers.values()
  const sent = { ports: given.ports, as: olga, path: { id: present(first).id } }
  expect((await call(kill, sent)).status).toBe(200)
  const before = containers(given)
  given.publish('r2', { 'compose.yaml': shop }, 'r1')
  await given.run()
  expect(containers(given)).toEqual(before)
})

const mounting = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    volumes: ["./site.conf:/etc/site.conf:ro", "./pages:/pages:ro"]
`

/** Publishes a stack that mounts a file and a folder, and has it deployed. */
async function givenMounting(more: Record<string, string> = {}) {
  const given = await givenFollowed()
  const files = { 'compose.yaml': mounting, 'site.conf': 'a', 'pages/x': 'a', ...more }
  given.publish('r1', files)
  await given.bind()
  await given.run()
  expect(await followed(given)).toMatchObject([{ status: 'succeeded' }])
  return { ...given, files }
}

/** Returns the containers that the newest deployment restarts, each with the reason. */
async function restarted({ ports }: Given): Promise<string[]> {
  const [newest] = await ports.deployments.listByStack('shop', 1)
  return present(newest)
    .steps.filter(({ action }) => action === 'restart')
    .map(({ name, reason, status }) => `${name}: ${reason}: ${status}`)
}

const mounted: [name: string, change: Record<string, string>, restarts: string[]][] = [
  ['a mounted file', { 'site.conf': 'b' }, ['shop-web-1: mounted file changed: ./site.conf: done']],
  ['a file of a mounted folder', { 'pages/x': 'b' }, []],
]

test.each(mounted)('a push of %s is written, and who sees the old one restarts', async (...one) => {
  const [, change, restarts] = one
  const given = await givenMounting()
  const ids = idsOf(given)
  given.publish('r2', { ...given.files, ...change })
  await given.run()
  const [newest] = await followed(given)
  expect(newest).toMatchObject({ status: 'succeeded', source: { revision: 'r2' } })
  const warnings: string[] = present(newest).warnings
  expect(warnings.filter((text) => text.includes('sees the old'))).toEqual([])
  expect(await restarted(given)).toEqual(restarts)
  expect(idsOf(given)).toEqual(ids)
  for (const [name, content] of Object.entries(change)) {
    const written = present(given.here.engine.state.files.get(`/opt/stacks/shop/${name}`))
    expect(Buffer.from(written.content).toString()).toBe(content)
  }
})

const idsOf = ({ here }: Given) =>
  [...here.engine.state.containers.values()].map(({ id }) => id).toSorted()

test('a restart follows the write, and services that restart with it restart after it', async () => {
  const compose = `${mounting}  side:
    image: busybox:latest
    command: sleep 3600
    network_mode: "service:web"
`
  const given = await givenMounting({ 'compose.yaml': compose })
  given.publish('r2', { ...given.files, 'site.conf': 'b' })
  await given.run()
  const [newest] = await given.ports.deployments.listByStack('shop', 1)
  const steps = present(newest).steps.map(({ action, name, status }) => [action, name, status])
  expect(steps).toEqual([
    ['write', '/opt/stacks/shop', 'done'],
    ['restart', 'shop-web-1', 'done'],
    ['restart', 'shop-side-1', 'done'],
  ])
})

test('a container that is replaced, or that a person killed, is not restarted', async () => {
  const replaced = await givenMounting()
  const compose = mounting.replace('sleep 3600', 'sleep 7200')
  replaced.publish('r2', { ...replaced.files, 'compose.yaml': compose, 'site.conf': 'b' })
  await replaced.run()
  expect(await restarted(replaced)).toEqual([])
  const killed = await givenMounting()
  const all = [...killed.here.engine.state.containers.values()]
  const web = present(all.find(({ name }) => name === 'shop-web-1'))
  const sent = { ports: killed.ports, as: olga, path: { id: web.id } }
  expect((await call(kill, sent)).status).toBe(200)
  killed.publish('r2', { ...killed.files, 'site.conf': 'b' })
  await killed.run()
  expect(await restarted(killed)).toEqual([])
})

test('a deploy by a person names who sees the old file, and restarts none', async () => {
  const given = await givenMounting()
  expect((await given.bind({ on_change: 'plan' })).status).toBe(200)
  given.publish('r2', { ...given.files, 'site.conf': 'b' })
  await given.run()
  const { json } = await call(deploy, { ports: given.ports, as: olga, path, body: {} })
  expect(json.warnings).toContain('service web sees the old ./site.conf until it is restarted')
  expect(await restarted(given)).toEqual([])
})
