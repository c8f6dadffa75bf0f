import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { filesOf } from '../../local/harness/stack-files.ts'
import { givenContainer, givenStack, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'

/** Names that every object inherits a property for. */
const compose = `services:
  constructor:
    image: busybox:latest
    command: sleep 3600
    labels: {constructor: a, toString: b}
    environment: {constructor: c, valueOf: d}
    volumes: ["constructor:/data"]
    networks: [constructor]
  valueOf:
    image: busybox:latest
    command: sleep 3600
    depends_on: [constructor]
    network_mode: service:constructor
volumes:
  constructor: {}
networks:
  constructor: {}
`

const path = { name: 'shop' }
const planned = ({ ports }: ReturnType<typeof world>) =>
  call(plan, { ports, as: 'admin', path, body: {} })

test('200: services, volumes, networks, labels and variables may have inherited names', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose })
  expect((await planned(here)).json).toEqual([])
  const made = present(
    [...here.engine.state.containers.values()].find(({ name }) => name === 'shop-constructor-1'),
  )
  expect(made.body.Env).toEqual(expect.arrayContaining(['constructor=c', 'valueOf=d']))
  expect(made.body.Labels).toMatchObject({ constructor: 'a', toString: 'b' })
})

test('200: a service with an inherited name that is new is created', async () => {
  const here = world()
  await givenStack(here)
  const files = filesOf(here, 'admin')
  expect((await files.put('compose.yaml', compose)).status).toBe(200)
  const { status, json } = await planned(here)
  expect(status).toBe(200)
  const lines = json.map((step: Json) => `${step.action} ${step.kind} ${step.name}`)
  expect(lines).toContain('create container shop-constructor-1')
  expect(lines).toContain('create volume shop_constructor')
})

test.each([
  ['networks', 'external network constructor is not on the host'],
  ['volumes', 'external volume constructor is not on the host'],
])('422: an external thing of %s with an inherited name does not exist', async (kind, why) => {
  const here = world()
  const use = kind === 'networks' ? '[out]' : '["out:/data"]'
  const external = `${kind}: {out: {external: true, name: constructor}}`
  const text = `services: {web: {image: "busybox:latest", ${kind}: ${use}}}\n${external}\n`
  await givenStack(here, 'shop', { compose: text, deployed: false })
  const { status, json } = await planned(here)
  expect([status, json.error]).toEqual([422, expect.stringContaining(why)])
})

test('200: an image with an inherited name is pulled', async () => {
  const here = world()
  const text = 'services: {web: {image: constructor}}\n'
  await givenStack(here, 'shop', { compose: text, deployed: false })
  const { status, json } = await planned(here)
  expect(status).toBe(200)
  expect(json[0]).toMatchObject({ kind: 'image', name: 'constructor', reason: 'image missing' })
})

test('200: a container of no stack with an inherited name changes nothing', async () => {
  const here = world()
  await givenStack(here)
  await givenContainer(here, 'constructor')
  expect((await planned(here)).json).toEqual([])
})

/** Sets up a deployed stack with a file. */
async function withFile(name: string) {
  const here = world()
  await givenStack(here)
  const files = filesOf(here, 'admin')
  expect((await files.put(name, 'before')).status).toBe(200)
  const deploying = (body: object) => call(deploy, { ports: here.ports, as: 'admin', path, body })
  expect((await deploying({})).json.status).toBe('succeeded')
  return { ...here, files, deploying, place: `/opt/stacks/shop/${name}` }
}

test.each(['__proto__', 'constructor'])('200: imports a changed file %s', async (name) => {
  const { files, deploying, place, ...here } = await withFile(name)
  const written = present(here.engine.state.files.get(place))
  here.engine.state.files.set(place, { ...written, content: Buffer.from('after') })
  expect((await deploying({ on_drift: 'import' })).json.status).toBe('succeeded')
  expect((await files.get(name)).json.content).toBe('after')
})

test.each(['__proto__', 'constructor'])('200: imports the removal of a file %s', async (name) => {
  const { files, deploying, place, ...here } = await withFile(name)
  here.engine.state.files.delete(place)
  expect((await deploying({ on_drift: 'import' })).json.status).toBe('succeeded')
  expect((await files.get(name)).status).toBe(404)
})
