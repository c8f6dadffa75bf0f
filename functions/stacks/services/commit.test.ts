import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import update from '../update.ts'
import commit from './commit.ts'

const ask = ({ ports }: World, body: object, service = 'web') => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop', service },
  body,
})

test('201: the image has the name, which belongs to the stack', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(commit, ask(here, { image: 'saved:1' }))
  expect([status, json.image]).toEqual([201, 'saved:1'])
  expect(here.engine.state.images.get('saved:1')).toBe(json.id)
  const owners = await here.ports.owners.list('local')
  const name = 'docker.io/library/saved:1'
  expect(owners).toContainEqual(expect.objectContaining({ kind: 'image', name, stack: 'shop' }))
})

test('201: the container with the number, with the given configuration', async () => {
  const here = world()
  await givenStack(here)
  const asked: unknown[] = []
  here.engine.commitContainer = async (...given) => {
    asked.push(given.slice(0, 2))
    here.engine.state.unnamed.add('sha256:1')
    return 'sha256:1'
  }
  const [container] = [...here.engine.state.containers.values()].filter(
    ({ name }) => name === 'shop-web-1',
  )
  const options = { author: 'mia', message: 'before', changes: ['ENV A=1'], pause: false }
  await call(commit, ask(here, { image: 'saved:1', number: 1, ...options }))
  expect(asked).toEqual([[container?.id, options]])
  expect((await call(commit, ask(here, { image: 'saved:1', number: 2 }))).status).toBe(404)
})

test('409 and 422: names of others, digests and ids; nothing is left', async () => {
  const here = world()
  await givenStack(here)
  const unnamed = here.engine.state.unnamed.size
  const claim = { hostId: 'local', kind: 'image' as const, stack: 'other', at: 0 }
  await givenStack(here, 'other')
  await here.ports.owners.claim({ ...claim, name: 'docker.io/library/taken:1' })
  expect((await call(commit, ask(here, { image: 'taken:1' }))).status).toBe(409)
  expect((await call(commit, ask(here, { image: 'busybox:latest' }))).status).toBe(409)
  const id = 'a'.repeat(64)
  expect((await call(commit, ask(here, { image: `x@sha256:${id}` }))).status).toBe(422)
  expect(here.engine.state.unnamed.size).toBe(unnamed)
})

test('an image that cannot be named is removed', async () => {
  const here = world()
  await givenStack(here)
  const before = here.engine.state.unnamed.size
  here.engine.tagImage = async () => {
    throw new Error('no')
  }
  expect((await call(commit, ask(here, { image: 'saved:1' }))).status).toBe(500)
  expect(here.engine.state.unnamed.size).toBe(before)
})

test('400 and 403: other instructions, the name of the helper image, fewer rights', async () => {
  const here = world()
  await givenStack(here)
  const status = async (body: object) => (await call(commit, ask(here, body))).status
  expect(await status({ image: 'a:1', changes: ['LABEL a=b'] })).toBe(400)
  expect(await status({ image: 'a:1', changes: ['ENV A=1\nONBUILD RUN x'] })).toBe(400)
  expect(await status({ image: 'container-stacks/files:1' })).toBe(400)
  const as = await givenRole(here, ['stacks:read', 'containers:exec'])
  expect((await call(commit, { ...ask(here, { image: 'a:1' }), as })).status).toBe(403)
})

test('403: the container controls its host; an admin may, and nothing is left', async () => {
  const here = world()
  const compose = 'services: {web: {image: busybox:latest, command: sleep 60, pid: host}}'
  await givenStack(here, 'shop', { compose })
  const unnamed = here.engine.state.unnamed.size
  const { status, json } = await call(commit, ask(here, { image: 'saved:1' }))
  expect([status, json.error]).toEqual([403, expect.stringContaining('the option pid: host')])
  expect(here.engine.state.unnamed.size).toBe(unnamed)
  const asAdmin = { ...ask(here, { image: 'saved:1' }), as: 'admin' as const }
  expect((await call(commit, asAdmin)).status).toBe(201)
})

test('403: the name belongs to a stack whose next deploy needs stacks:privileged', async () => {
  const here = world()
  await givenStack(here)
  const compose = 'services: {web: {image: "tool:2", privileged: true}}'
  const path = { name: 'shop' }
  await call(update, { ports: here.ports, as: 'admin', path, body: { compose } })
  expect((await call(commit, ask(here, { image: 'tool:2' }))).status).toBe(403)
})

test('403: the name belongs to a stack with a container that the caller may not enter', async () => {
  const here = world()
  const { ports, engine } = here
  const busy = 'image: busybox:latest, command: sleep 60'
  const services = (worker: string) => `services:\n  web: {${busy}}\n  worker: {${busy}${worker}}\n`
  await givenStack(here, 'shop', { compose: services(', privileged: true') })
  const unnamed = engine.state.unnamed.size
  const saved = { image: 'registry.example.org/tool:2' }
  const path = { name: 'shop' }
  await call(update, { ports, as: 'operator', path, body: { compose: services('') } })
  const { status, text } = await call(commit, ask(here, saved))
  expect([status, text]).toEqual([403, expect.stringContaining('shop-worker-1')])
  expect(engine.state.unnamed.size).toBe(unnamed)
  expect((await call(commit, { ...ask(here, saved), as: 'admin' })).status).toBe(201)
})
