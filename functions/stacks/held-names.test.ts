import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { givenContainer, givenStack, type World, world } from '../../local/harness/world.ts'
import { label } from '../compose/create/labels.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import update from './update.ts'

const path = { name: 'shop' }

/** Returns a service with a name and a port of the host. */
const service = (key: string, name: string, port: string) =>
  `  ${key}: {image: "busybox:latest", command: sleep 60, container_name: ${name}, ports: ["${port}"]}\n`

const blog = (key: string) => `services:\n${service(key, 'r4-blog', '127.0.0.1:8099:80')}`

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'operator' as const,
  path,
  body,
})

/** Deploys the first files, and saves the others. Returns a world without executed steps. */
async function given(before: string, after: string): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose: before })
  const saved = await call(update, ask(here, { compose: after }))
  if (saved.status !== 200) throw new Error(saved.text)
  here.engine.executed.splice(0)
  return here
}

const containers = ({ engine }: World) =>
  [...engine.state.containers.values()].map(({ name, state, body }) => {
    const labels = body.Labels as Record<string, string>
    return `${labels['com.docker.compose.service']} ${name} ${state}`
  })

test('409: a renamed service needs the name of its orphan: plan and deploy refuse it, and change nothing', async () => {
  const here = await given(blog('app'), blog('blog'))
  const orphan =
    'is taken by container r4-blog of service app: the files have no such service: set `remove_orphans` to remove it first'
  const error = [
    `compose.yaml:2:54: services.blog.container_name: the container name r4-blog ${orphan}`,
    `compose.yaml:2:87: services.blog.ports[0]: port 127.0.0.1:8099 of the host ${orphan}`,
  ].join('\n')
  for (const endpoint of [plan, deploy] as const) {
    const { status, json, headers } = await call(endpoint, ask(here))
    expect([status, json.error, headers['x-error-reason']]).toEqual([409, error, 'in-use'])
  }
  expect(here.engine.executed).toEqual([])
  expect(containers(here)).toEqual(['app r4-blog running'])
})

test('200: with remove_orphans the orphan goes first, and a rollback goes back', async () => {
  const here = await given(blog('app'), blog('blog'))
  const [first] = await here.ports.deployments.listByStack('shop', 1)
  const planned = await call(plan, ask(here, { remove_orphans: true }))
  const rows = planned.json.map((row: Json) => `${row.action} ${row.name}`)
  expect(rows.indexOf('remove r4-blog')).toBeLessThan(rows.indexOf('create r4-blog'))
  const { json } = await call(deploy, ask(here, { remove_orphans: true }))
  expect([json.status, containers(here)]).toEqual(['succeeded', ['blog r4-blog running']])
  const back = await call(rollback, ask(here, { deployment_id: present(first).id }))
  expect([back.json.status, containers(here)]).toEqual(['succeeded', ['app r4-blog running']])
})

test('409: the orphan publishes the port that a service needs', async () => {
  const after = `services:\n${service('blog', 'other', '8099:80')}`
  const { status, json } = await call(deploy, ask(await given(blog('app'), after)))
  expect([status, json.error]).toEqual([
    409,
    'compose.yaml:2:85: services.blog.ports[0]: port 8099 of the host is taken by container r4-blog of service app: the files have no such service: set `remove_orphans` to remove it first',
  ])
})

test('200: services exchange their names and ports in one deploy', async () => {
  const swapped = (one: string, other: string, first: string, second: string) =>
    `services:\n${service('p', one, first)}${service('q', other, second)}`
  const before = swapped('r4-p', 'r4-q', '8101:80', '8102:80')
  const here = await given(before, swapped('r4-q', 'r4-p', '8102:80', '8101:80'))
  const { json } = await call(deploy, ask(here))
  expect([json.status, json.error]).toEqual(['succeeded', null])
  expect(containers(here).sort()).toEqual(['p r4-q running', 'q r4-p running'])
  expect((await call(plan, ask(here))).json).toEqual([])
})

test('200: a new service takes the name and port that another one gives up', async () => {
  const before = `services:\n${service('p', 'r4-p', '8101:80')}`
  const after = `services:\n${service('q', 'r4-p', '8101:80')}${service('p', 'r4-q', '8102:80')}`
  const here = await given(before, after)
  const { json } = await call(deploy, ask(here))
  expect([json.status, json.error]).toEqual(['succeeded', null])
  expect(containers(here).sort()).toEqual(['p r4-q running', 'q r4-p running'])
  expect((await call(plan, ask(here))).json).toEqual([])
})

test('409: a container of no stack has the name', async () => {
  const here = world()
  await givenContainer(here, 'r4-blog', { started: false })
  await givenStack(here, 'shop', { compose: blog('blog'), deployed: false })
  const { status, json } = await call(deploy, ask(here))
  expect([status, json.error]).toEqual([
    409,
    'compose.yaml:2:54: services.blog.container_name: the container name r4-blog is taken by container r4-blog, which no stack made: remove that one, or choose another name',
  ])
})

test('409: another stack has the port; its container is named to those who may see it', async () => {
  const here = world()
  await givenStack(here, 'other', { compose: `services:\n${service('a', 'xx', '8099:80')}` })
  await givenStack(here, 'shop', { compose: blog('blog'), deployed: false })
  const taken =
    'compose.yaml:2:87: services.blog.ports[0]: port 127.0.0.1:8099 of the host is taken by'
  const wayOut = 'stop or remove that one, or choose another port'
  const known = await call(plan, ask(here))
  expect([known.status, known.json.error]).toEqual([
    409,
    `${taken} container xx of stack other: ${wayOut}`,
  ])
  const as = await givenRole(here, ['stacks:read'])
  const hidden = await call(plan, { ...ask(here), as })
  expect(hidden.json.error).toBe(`${taken} another container: ${wayOut}`)
  const lister = await givenRole(here, ['stacks:read', 'containers:read'])
  const seen = await call(plan, { ...ask(here), as: lister })
  expect(seen.json.error).toBe(known.json.error)
})

test('409: a container of a compose project has the name, a one-off container the port', async () => {
  const here = await given(blog('app'), blog('app').replace('8099', '8098'))
  const bindings = { PortBindings: { '80/tcp': [{ HostIp: '', HostPort: '8098' }] } }
  const oneOff = { [label.project]: 'shop', [label.service]: 'app', [label.oneoff]: 'True' }
  await givenContainer(here, 'shop-app-run-1', { labels: oneOff, hostConfig: bindings })
  const { json } = await call(plan, ask(here))
  expect(json.error).toBe(
    'compose.yaml:2:86: services.app.ports[0]: port 127.0.0.1:8098 of the host is taken by container shop-app-run-1 of service app: stop or remove that one, or choose another port',
  )
  const labels = { [label.project]: 'photos', [label.service]: 'db' }
  await givenContainer(here, 'other', { labels, started: false })
  await givenStack(here, 'second', {
    compose: `services:\n${service('db', 'other', '80')}`,
    deployed: false,
  })
  const second = await call(plan, { ...ask(here), path: { name: 'second' } })
  expect(second.json.error).toBe(
    'compose.yaml:2:52: services.db.container_name: the container name other is taken by container other of the compose project photos: remove that one, or choose another name',
  )
})

test.each([
  ['another address', '127.0.0.2:8099:80'],
  ['another protocol', '127.0.0.1:8099:80/udp'],
  ['an IPv6 address', '[::1]:8099:80'],
  ['a range, of which the Engine picks a free one', '127.0.0.1:8090-8099:80'],
  ['no port of the host', '80'],
])('200: the port is free on %s', async (_, port) => {
  const here = world()
  await givenStack(here, 'other', { compose: blog('app') })
  const compose = `services:\n${service('blog', 'free', port)}`
  await givenStack(here, 'shop', { compose, deployed: false })
  expect((await call(plan, ask(here))).status).toBe(200)
})

test('200: a stopped container holds no port, and a container that is only created needs none', async () => {
  const here = world()
  await givenStack(here, 'other', { compose: `services:\n${service('a', 'xx', '8099:80')}` })
  await givenStack(here, 'shop', { compose: blog('blog'), deployed: false })
  expect((await call(plan, ask(here, { start: false }))).status).toBe(200)
  await here.engine.act('xx', { kind: 'stop' })
  expect((await call(plan, ask(here))).status).toBe(200)
})

test('200: an unchanged stack keeps its own names and ports', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: blog('app') })
  expect((await call(plan, ask(here))).json).toEqual([])
  const { json } = await call(deploy, ask(here, { force_recreate: true }))
  expect([json.status, containers(here)]).toEqual(['succeeded', ['app r4-blog running']])
})
