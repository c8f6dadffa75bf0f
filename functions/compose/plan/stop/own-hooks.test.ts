import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import { deploy, deployed, projectOf, shop, started } from '../../testing/plan-samples.ts'
import { apply, observe } from '../../testing/simulated-host.ts'
import { pinImages } from '../compare/pinned.ts'
import type { Plan } from '../plan-steps.ts'
import { planServiceStart } from '../up/plan-service-start.ts'
import { planRestart } from './plan-restart.ts'
import { planServiceStop } from './plan-service-stop.ts'
import { planRemove, planStop } from './plan-stop.ts'

const hooks = (word: string): Partial<Service> => ({
  pre_stop: [{ command: [`${word}-stop`] }],
  post_start: [{ command: [`${word}-start`] }],
})
const old = projectOf({ web: { ...hooks('old'), labels: { version: '1' } } })
const now = projectOf({ web: hooks('new') })

/** Returns `container: command` of each command that a plan runs. */
const commands = ({ steps }: Plan) =>
  steps.flatMap((step) =>
    step.action === 'exec' ? `${step.name}: ${(step.body.Cmd as string[]).join(' ')}` : [],
  )

const services = ['web']
const verbs: [string, (host: ReturnType<typeof deployed>, creators: Project[]) => Plan][] = [
  ['stop', (host, creators) => planStop(observe(host), now, { creators })],
  [
    'removal',
    (host, creators) =>
      planRemove(observe(host), now, { volumes: false, keptVolumes: {}, creators }),
  ],
  ['restart', (host, creators) => planRestart(observe(host), now, { services, creators })],
  [
    'stop of services',
    (host, creators) => planServiceStop(observe(host), now, { services, creators }),
  ],
  [
    'start of services',
    (host, creators) => {
      apply(host, planServiceStop(observe(host), null, { services }))
      return planServiceStart(observe(host), now, { services, creators })
    },
  ],
]

test.each(verbs)('a %s runs only commands that the container was created with', (_, planned) => {
  const found = commands(planned(deployed(old), [old]))
  expect(found.length).toBeGreaterThan(0)
  for (const command of found) expect(command).toMatch(/^shop-web-1: old-/)
})

test.each(verbs)(
  'a %s runs none if no files are those of the container, and says so',
  (_, planned) => {
    const plan = planned(deployed(projectOf({ web: { command: ['other'] } })), [old])
    expect(commands(plan)).toEqual([])
    expect(plan.warnings).toContainEqual(
      expect.stringMatching(/^container shop-web-1: no (pre_stop|post_start) command runs in it/),
    )
  },
)

test('a deploy runs the old pre_stop in the old container and the new post_start in the new one', () => {
  const plan = deploy(deployed(old), now, { creators: [old] })
  expect(commands(plan)).toEqual(['shop-web-1: old-stop', 'shop-web-1: new-start'])
  const at = (action: string) => plan.steps.findIndex((step) => step.action === action)
  expect(at('exec')).toBeLessThan(at('stop'))
  expect(plan.warnings).toEqual([])
})

test('a deploy without the old files runs nothing in the old container', () => {
  const plan = deploy(deployed(old), now)
  expect(commands(plan)).toEqual(['shop-web-1: new-start'])
  expect(plan.warnings).toEqual([
    'container shop-web-1: no pre_stop command runs in it, because it was created from other files',
  ])
})

test('a first pre_stop in the files is no command of the container that they replace', () => {
  const plain = projectOf({ web: {} })
  const plan = deploy(deployed(plain), now, { creators: [plain] })
  expect([commands(plan), plan.warnings]).toEqual([['shop-web-1: new-start'], []])
})

test('removed services and surplus containers run their own pre_stop', () => {
  const two = projectOf({ web: { ...hooks('old'), scale: 2 }, db: {} })
  const orphan = deploy(deployed(two), projectOf({ db: {} }), {
    creators: [two],
    removeOrphans: true,
  })
  expect(commands(orphan).sort()).toEqual(['shop-web-1: old-stop', 'shop-web-2: old-stop'])
  const one = projectOf({ web: { ...hooks('old'), scale: 1 }, db: {} })
  expect(commands(deploy(deployed(two), one))).toEqual(['shop-web-2: old-stop'])
})

test('containers that move to a changed network run their own commands', () => {
  const web = { ...present(shop.services.web), ...hooks('old') }
  const before = { ...shop, services: { ...shop.services, web } }
  const back = { name: 'shop_back', ipam: {}, internal: true }
  const after = { ...before, networks: { ...shop.networks, back } }
  const found = commands(deploy(deployed(before), after))
  expect(found).toEqual(['shop-web-1: old-stop', 'shop-web-1: old-start'])
})

test('a container that joins another one is known by its hash too, and so is a pinned image', () => {
  const joined = projectOf({
    db: {},
    web: { ...hooks('old'), network_mode: 'service:db', depends_on: { db: started } },
  })
  expect(commands(planStop(observe(deployed(joined)), joined))).toEqual(['shop-web-1: old-stop'])
  const pinned = pinImages(old, { web: 'sha256:other' })
  const plan = deploy(deployed(old), pinned, { forceRecreate: true })
  expect(commands(plan)[0]).toBe('shop-web-1: old-stop')
})

test('a start runs post_start of a service that has a pre_start', () => {
  const project = projectOf({
    web: { ...hooks('old'), pre_start: [{ image: 'job', command: ['x'] }] },
  })
  const host = deployed(project)
  apply(host, planServiceStop(observe(host), null, { services }))
  const plan = planServiceStart(observe(host), project, { services })
  expect(commands(plan)).toEqual(['shop-web-1: old-start'])
})

test('a grace period of zero in other files does not skip the pre_stop of the container', () => {
  const killed = projectOf({ web: { stop_grace_period: '0s' } })
  const plan = planStop(observe(deployed(old)), killed, { creators: [old] })
  expect(commands(plan)).toEqual(['shop-web-1: old-stop'])
})
