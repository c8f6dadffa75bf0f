import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, newPlace, type Place, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { withRetries } from '../harness/with-retries.ts'
import { attributes } from './attributes.ts'
import { pairCases, singleCases } from './cases.ts'
import { fuzz, makeViewer } from './fuzz.ts'
import { probeHealth } from './health-probe.ts'

test('finds every attribute with its classes of values', () => {
  const names = attributes().map(({ path, class: kind }) => `${path.join('.')} ${kind}`)
  expect(names).toContain('services.a.scale number')
  expect(names).toContain('services.a.deploy.replicas number')
  expect(names).toContain('services.a.expose list')
  expect(names).toContain('services.a.networks mapping')
  expect(names).toContain('services.a.healthcheck.interval text')
  expect(names.length).toBeGreaterThan(300)
})

test('the same seed repeats the same pairs', () => {
  const first = (seed: number) => pairCases(seed).next().value
  expect(first(7)).toEqual(first(7))
  expect(first(7)).not.toEqual(first(8))
})

test('responds properly to hostile values, and to /health throughout', async () => {
  function* cases() {
    let index = 0
    for (const one of singleCases()) {
      index += 1
      if (index % 29 === 0 || /scale|replicas|ports|expose|links/.test(one.name)) yield one
    }
    yield* pairCases(1)
  }
  const { findings, health } = await fuzz(cases(), performance.now() + 10_000)
  expect(findings).toEqual([])
  expect(health.asked).toBeGreaterThan(1)
})

/** Services that each extend the one before. */
const chained = (count: number) =>
  `services:\n  s0: {image: x}\n${Array.from({ length: count }, (_, n) => `  s${n + 1}: {extends: s${n}, labels: [l${n}=1]}\n`).join('')}`

describe('the built service', () => {
  let place: Place
  let running: Running
  let admin: string
  let viewer: string
  beforeAll(async () => {
    place = newPlace()
    running = await startIn(place)
    admin = await setUpAdmin(place, running)
    viewer = await makeViewer(running, admin)
  })
  afterAll(() => place.remove())

  const save = (body: { name: string; compose: string }) =>
    withRetries(() => api(running, 'POST', '/stacks', { token: admin, body }))
  const plan = (name: string, token: string) =>
    withRetries(() => api(running, 'POST', `/stacks/${name}/plan`, { token, body: {} }))

  test.each([
    ['containers', 'services: {a: {image: x, scale: 100000000}}'],
    [
      'ports',
      `services: {${Array.from({ length: 200 }, (_, n) => `s${n}: {image: x, expose: ["1-65535"]}`).join(', ')}}`,
    ],
    [
      'containers',
      'services: {a: {image: x, scale: 3000, links: [b]}, b: {image: x, scale: 3000}}',
    ],
  ])('422: names the limit %s', async (limit, compose) => {
    const stop = await probeHealth(running.url)
    const body = { name: 'large', compose }
    const { status, json } = await save(body)
    expect(status).toBe(422)
    expect(json.error).toContain(`the limit \`${limit}\``)
    expect((await stop()).failed).toBe(0)
  })

  test('200: answers other requests while it reads a file that takes too long', async () => {
    const body = { name: 'endless', compose: chained(2500) }
    let isOpen = true
    const reading = save(body).finally(() => {
      isOpen = false
    })
    for (const path of ['/health', '/me', '/stacks']) {
      const { status } = await api(running, 'GET', path, { token: admin })
      expect([path, status, isOpen]).toEqual([path, 200, true])
    }
    const { status, json } = await reading
    expect([status, json.error]).toEqual([422, 'compose.yaml took too long to read'])
  })

  test('200: plans for one caller while another sends 50 slow requests', async () => {
    // Too long to be cached, so each plan reads it again.
    const slow = `${chained(200)}# ${'x'.repeat(70_000)}\n`
    expect((await save({ name: 'slow', compose: slow })).status).toBe(201)
    const small = 'services: {a: {image: x}}'
    expect((await save({ name: 'honest', compose: small })).status).toBe(201)
    const stop = await probeHealth(running.url)
    const hostile: Promise<unknown>[] = []
    let answered = 0
    for (let count = 0; count < 50; count += 1) {
      hostile.push(plan('slow', viewer).finally(() => (answered += 1)))
    }
    // From here on the caller of the slow plans has used the worker, and the others wait for it.
    await Promise.race(hostile)
    const before = answered
    expect((await plan('honest', admin)).status).toBe(200)
    expect(before).toBeLessThan(hostile.length)
    expect(answered).toBeLessThan(hostile.length)
    expect((await stop()).failed).toBe(0)
    await Promise.all(hostile)
  })
})
