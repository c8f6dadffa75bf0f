/** Timing: the health check answers within a second during hostile requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, newPlace, type Place, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { attributes } from './attributes.ts'
import { pairCases, singleCases } from './cases.ts'
import { fuzz, makeViewer } from './fuzz.ts'
import { probeHealth } from './health-probe.ts'

/**
 * Generous because other tests run at the same time. A plan on the event loop took 25 s or more.
 * Milliseconds.
 */
const healthMax = 1000

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
  const { findings, health, memory } = await fuzz(cases(), performance.now() + 10_000)
  expect(findings).toEqual([])
  expect(health.asked).toBeGreaterThan(50)
  expect(health.slowest).toBeLessThan(healthMax)
  expect(memory.most).toBeLessThan(400)
}, 60_000)

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
    const stop = probeHealth(running.url)
    const body = { name: 'large', compose }
    const { status, json } = await api(running, 'POST', '/stacks', { token: admin, body })
    expect(status).toBe(422)
    expect(json.error).toContain(`the limit \`${limit}\``)
    const { slowest, failed } = await stop()
    expect(failed).toBe(0)
    expect(slowest).toBeLessThan(healthMax)
  })

  test('200: plans for one caller while another sends 50 slow requests', async () => {
    const chain = Array.from(
      { length: 200 },
      (_, n) => `  s${n + 1}: {extends: s${n}, labels: [l${n}=1]}\n`,
    )
    // Too long to be cached, so each plan reads it again.
    const slow = `services:\n  s0: {image: x}\n${chain.join('')}# ${'x'.repeat(70_000)}\n`
    const save = (name: string, compose: string) =>
      api(running, 'POST', '/stacks', { token: admin, body: { name, compose } })
    expect((await save('slow', slow)).status).toBe(201)
    expect((await save('honest', 'services: {a: {image: x}}')).status).toBe(201)
    const stop = probeHealth(running.url)
    let answered = 0
    const hostile = Array.from({ length: 50 }, async () => {
      await api(running, 'POST', '/stacks/slow/plan', { token: viewer, body: {} })
      answered += 1
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const begin = performance.now()
    const plan = await api(running, 'POST', '/stacks/honest/plan', { token: admin, body: {} })
    expect(plan.status).toBe(200)
    expect(performance.now() - begin).toBeLessThan(3000)
    expect(answered).toBeLessThan(50)
    const { slowest, failed } = await stop()
    expect(failed).toBe(0)
    expect(slowest).toBeLessThan(healthMax)
    await Promise.all(hostile)
  }, 60_000)
})
