import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import { observer } from '../../core/alerts/observe.ts'
import { internalError } from '../../core/errors.ts'
import { resolvePolicies } from '../../core/updates/policy-of.ts'
import deploy from '../deploy.ts'
import restartStack from '../restart.ts'
import pause from './pause.ts'
import pull from './pull.ts'
import restart from './restart.ts'
import scale from './scale.ts'
import stop from './stop.ts'
import unpause from './unpause.ts'

const compose = 'services: {web: {image: "nginx:1", command: sleep 60}}'
const path = { name: 'shop', service: 'web' }
const of = ({ ports }: World, body?: object) => ({ ports, as: 'operator' as const, path, body })
const ask = ({ ports }: World, body?: object) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop' },
  body,
})

/** Returns whether the alert of failed deployments fires. */
async function fires({ ports }: World): Promise<boolean> {
  const host = present(await ports.hosts.find('local'))
  const stacks = [present(await ports.stacks.find('shop'))]
  const measure = observer({
    host,
    now: ports.clock.now(),
    stacks,
    policyOf: resolvePolicies([], [host]),
    jobs: [],
    stackJobs: [],
  })
  const [seen] =
    measure({ metric: 'deploy_failed', match: {} } as Parameters<typeof measure>[0]) ?? []
  return present(seen).value === 1
}

const failing = (here: World, action?: string) => {
  here.engine.failing = (step) =>
    action === undefined || step.action !== action ? undefined : internalError('busy')
}

const onServices = {
  pull: [pull, 'pull', undefined],
  scale: [scale, 'create', { replicas: 2 }],
  restart: [restart, 'restart', undefined],
  stop: [stop, 'stop', undefined],
} as const

test.each(Object.entries(onServices))(
  'a failed %s of a service does not fire the alert of failed deployments',
  async (_, [verb, action, body]) => {
    const here = world()
    await givenStack(here, 'shop', { compose })
    failing(here, action)
    const { json } = await call(verb as typeof scale, of(here, body))
    expect(json.status).toBe('failed')
    expect(await fires(here)).toBe(false)
  },
)

test('the alert of a failed deploy lasts until a deploy succeeds, whatever is done to services', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose })
  failing(here, 'recreate')
  expect((await call(deploy, ask(here, { force_recreate: true }))).json.status).toBe('failed')
  expect(await fires(here)).toBe(true)
  failing(here)
  for (const [verb, , body] of Object.values(onServices)) {
    const { json } = await call(verb as typeof scale, of(here, body))
    expect([json.status, json.error]).toEqual(['succeeded', null])
    expect(await fires(here)).toBe(true)
  }
  expect((await call(deploy, ask(here, {}))).json.status).toBe('succeeded')
  for (const verb of [pause, unpause]) await call(verb, of(here))
  expect(await fires(here)).toBe(false)
})

test('a failed restart of the whole stack fires it', async () => {
  const here = world()
  await givenStack(here)
  failing(here, 'restart')
  expect((await call(restartStack, ask(here, {}))).status).toBe(500)
  expect(await fires(here)).toBe(true)
})
