import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import fc from '../../../local/harness/properties.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import { plainOptions, projectOf } from '../testing/plan-samples.ts'
import { apply, observe, resolveAll, simulatedHost } from '../testing/simulated-host.ts'
import type { SimulatedHost } from '../testing/simulated-state.ts'
import { planText } from './plan-text.ts'
import { planRemove, planStop } from './stop/plan-stop.ts'
import { plan } from './up/plan-project.ts'
import type { PlanOptions } from './up/planning-state.ts'

const names = ['a', 'b', 'c', 'd', 'e']

/** The random attributes of a service. References are resolved when the project is assembled. */
const shape = fc.record({
  present: fc.boolean(),
  image: fc.constantFrom('one', 'two', 'job'),
  scale: fc.constantFrom(0, 1, 1, 1, 2, 3),
  command: fc.constantFrom<(string[] | null)[]>(null, ['x'], ['y']),
  networks: fc.subarray(['default', 'back', 'side']),
  volumes: fc.subarray(['data', 'logs']),
  anonymous: fc.boolean(),
  named: fc.constantFrom(undefined, undefined, 'one', 'two', 'three'),
  joins: fc.option(fc.nat(3), { freq: 4 }),
  needs: fc.array(fc.record({ on: fc.nat(3), required: fc.boolean(), restart: fc.boolean() }), {
    maxLength: 3,
  }),
})

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

const project = fc
  .record({ shapes: fc.array(shape, { minLength: 5, maxLength: 5 }), driver: fc.boolean() })
  .map(({ shapes, driver }) => assemble(shapes, driver))

function assemble(shapes: Shape[], driver: boolean): Project {
  const services: Record<string, Partial<Service>> = {}
  for (const [index, drawn] of shapes.entries()) {
    if (!drawn.present) continue
    const earlier = names.slice(0, index).filter((name) => services[name])
    const parent = drawn.joins === null ? undefined : earlier[drawn.joins]
    const joined =
      parent && present(services[parent]).scale !== 0 && present(services[parent]).image !== 'job'
        ? parent
        : undefined
    const isTaken = earlier.some((name) => services[name]?.container_name === drawn.named)
    services[present(names[index])] = {
      ...service(drawn, earlier, services, joined),
      ...(drawn.named && drawn.scale === 1 && !isTaken ? { container_name: drawn.named } : {}),
    }
  }
  const config = (key: string) => ({ name: `shop_${key}`, ipam: {} })
  return projectOf(services, {
    networks: {
      back: { ...config('back'), ...(driver ? { internal: true } : {}) },
      side: config('side'),
    },
    volumes: { data: { name: 'shop_data' }, logs: { name: 'shop_logs' } },
  })
}

function service(
  drawn: Shape,
  earlier: string[],
  services: Record<string, Partial<Service>>,
  joined: string | undefined,
): Partial<Service> {
  const depends_on: Service['depends_on'] = {}
  for (const { on, required, restart } of drawn.needs) {
    const name = earlier[on]
    if (name === undefined) continue
    const condition =
      present(services[name]).image === 'job' ? 'service_completed_successfully' : 'service_healthy'
    depends_on[name] = { condition, required, restart }
  }
  if (joined) depends_on[joined] = { condition: 'service_started', required: true, restart: true }
  return {
    image: drawn.image,
    scale: drawn.scale,
    command: drawn.command,
    depends_on,
    ...(drawn.image === 'job' ? {} : { healthcheck: { test: ['CMD', 'ok'] } }),
    ...(joined
      ? { network_mode: `service:${joined}` }
      : { networks: Object.fromEntries(drawn.networks.map((key) => [key, null])) }),
    volumes: [
      ...drawn.volumes.map((source) => ({ type: 'volume' as const, source, target: `/${source}` })),
      ...(drawn.anonymous ? [{ type: 'volume' as const, target: '/own' }] : []),
    ],
  }
}

const options = fc.record({
  apiVersion: fc.constantFrom('1.41', '1.44'),
  forceRecreate: fc.boolean(),
  removeOrphans: fc.constant(true),
})

/** Numbers in [0, 1) that choose which of the ready steps runs next. */
const choices = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))

function picker(stream: Iterator<number>): (count: number) => number {
  return (count) => Math.floor(stream.next().value * count)
}

function planned(host: SimulatedHost, wish: Project, change: Partial<PlanOptions> = {}) {
  return plan(wish, observe(host), resolveAll(host), { ...plainOptions, ...change })
}

test('a plan has no cycle, works in any allowed order, and leaves nothing to do', () => {
  fc.assert(
    fc.property(project, project, options, choices, (first, second, change, stream) => {
      const host = simulatedHost(['one', 'two'], ['job'])
      for (const wish of [first, second]) {
        const made = planned(host, wish, change)
        for (const step of made.steps) {
          expect(step.after.every((before) => before < step.index)).toBe(true)
          expect(step.reason).not.toBe('')
        }
        apply(host, made, picker(stream))
        expect(planText({ ...planned(host, wish), warnings: [] })).toBe('')
      }
    }),
    { numRuns: 120 },
  )
})

test('the next plan completes a plan interrupted at any step', () => {
  fc.assert(
    fc.property(project, project, fc.nat(60), choices, (first, second, limit, stream) => {
      const host = simulatedHost(['one', 'two'], ['job'])
      apply(host, planned(host, first))
      apply(host, planned(host, second, { removeOrphans: true }), picker(stream), limit)
      apply(host, planned(host, second, { removeOrphans: true }), picker(stream))
      expect(planText({ ...planned(host, second), warnings: [] })).toBe('')
    }),
    { numRuns: 120 },
  )
})

test('a stop leaves no containers, a removal no networks either, and volumes stay unless requested', () => {
  fc.assert(
    fc.property(project, fc.boolean(), choices, (wish, known, stream) => {
      const host = simulatedHost(['one', 'two'], ['job'])
      apply(host, planned(host, wish))
      const volumes = [...host.volumes.keys()]
      apply(host, planStop(observe(host), known ? wish : null), picker(stream))
      expect(host.containers).toEqual([])
      expect([...host.volumes.keys()]).toEqual(volumes)
      const removal = { volumes: false, keptVolumes: {} }
      apply(host, planRemove(observe(host), known ? wish : null, removal), picker(stream))
      expect(host.networks).toEqual([])
      expect([...host.volumes.keys()]).toEqual(volumes)
    }),
    { numRuns: 60 },
  )
})
