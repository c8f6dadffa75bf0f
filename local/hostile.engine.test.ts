import { afterAll, beforeAll, expect, test } from 'vitest'
import { workerComposer } from '../adapters/node/compose-worker/composer.ts'
import create from '../functions/stacks/create.ts'
import { call } from './harness/call.ts'
import { hostileTexts } from './harness/hostile-texts.ts'
import { rowsNamed } from './harness/rings.ts'
import { type World, world } from './harness/world.ts'

// On a busy machine a text waits long for its worker. Only its CPU time may decide.
const composer = workerComposer({ queued: 90_000, total: 90_000, busy: 90_000 })
let here: World
const save = (body: object) =>
  call(create, { ports: { ...here.ports, composer }, as: 'operator', body })

beforeAll(async () => {
  here = world()
  await save({ name: 'warm', compose: 'services: {warm: {image: busybox}}' })
})
afterAll(() => composer.close())

/** Each limit is reached in one or two ways: aliases, depth, time, size, and cycles. */
const first = [
  'an alias bomb',
  'a bomb of merge keys',
  'an alias that refers to itself',
  'one anchor used 5 000 times',
  'nested lists',
  'complex keys',
  'nested variables',
  'an open quote',
  'tags',
  'one repeated key',
  'a long text',
  'dollar signs',
  'services with circular dependencies',
  'a variable of a megabyte',
  'nineteen large overlays',
]

test.each(rowsNamed(hostileTexts, first, ({ name }) => name))(
  '$status: $name',
  async ({ compose, env, overlays, status }) => {
    const name = `s${here.ports.random.id()}`
    const answer = await save({ name, compose, env, overlays })
    expect(answer.json.error ?? '').toMatch(/^.{0,300}$/)
    if (status === 'any') expect([201, 422]).toContain(answer.status)
    else expect(answer.status).toBe(status)
  },
)

test('201: a text after all of them is read normally', async () => {
  const next = { name: 'next', compose: 'services: {app: {image: busybox}}' }
  expect((await save(next)).status).toBe(201)
})

test('merges several documents like files', async () => {
  const compose = 'services: {a: {image: x, ports: ["1:1"]}}\n---\nservices: {a: {image: y}}\n'
  const name = 'several'
  expect((await save({ name, compose })).status).toBe(201)
  const stack = await here.ports.stacks.find(name)
  expect(stack?.services).toMatchObject({ a: { image: 'y' } })
})
