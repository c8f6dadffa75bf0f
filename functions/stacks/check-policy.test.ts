import { expect, test, vi } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { shuttingDown } from '../core/errors.ts'
import judge from './check-policy.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import logs from './logs.ts'
import restart from './restart.ts'
import status from './status.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const compose = 'services: {web: {image: "busybox:latest", command: sleep 60, oom_score_adj: -500}}'
const refusal =
  'compose.yaml:1:62: services.web.oom_score_adj: deploying this requires the permission stacks:privileged'

/** Sets up a running stack that an operator deployed while the policy allowed it. */
async function givenRefused() {
  const here = world()
  await givenStack(here, 'shop', { compose })
  await call(get, { ports: here.ports, as: 'operator', path })
  await deployedBy(here, 'operator')
  return here
}

async function deployedBy({ ports }: World, role: string) {
  const [account] = (await ports.accounts.list()).filter((one) => one.role === role)
  const by = account?.username ?? role
  for (const deployment of await ports.deployments.listByStack('shop', 9)) {
    await ports.deployments.save({ ...deployment, by })
  }
}

const warnings = async ({ ports }: World) =>
  (await call(get, { ports, as: 'operator', path })).json.warnings

/** Runs the check and returns the warnings that it logged. */
async function judged({ ports }: World) {
  const warn = vi.spyOn(ports.log, 'warn')
  await judge.with(ports)()
  const texts = warn.mock.calls.map(([text]) => text)
  warn.mockRestore()
  return texts
}

test('200: warns about a stack that its operator could no longer deploy, and logs this once', async () => {
  const here = await givenRefused()
  expect(await warnings(here)).toEqual([])
  expect(await judged(here)).toEqual([
    'stack shop can only be deployed with stacks:privileged; it keeps running',
  ])
  expect(await warnings(here)).toEqual([refusal])
  expect(await judged(here)).toEqual([])
})

test('200: keeps the warning of a stack that cannot be read now', async () => {
  const here = await givenRefused()
  await judged(here)
  const { load } = here.ports.composer
  here.ports.composer.load = async () => {
    throw shuttingDown()
  }
  expect(await judged(here)).toEqual([])
  here.ports.composer.load = load
  expect(await warnings(here)).toEqual([refusal])
  expect(await judged(here)).toEqual([])
})

test('200: neither the warning nor the log contains values of variables', async () => {
  const here = await givenRefused()
  const secret = 'services: {web: {image: x, security_opt: ["$' + '{V:-x:hunter2}"]}}'
  const found = present(await here.ports.stacks.find('shop'))
  const files = { ...found.files, compose: await here.ports.texts.put(secret) }
  await here.ports.stacks.replace({ ...found, files })
  const warn = vi.spyOn(here.ports.log, 'warn')
  await judge.with(here.ports)()
  expect(JSON.stringify([warn.mock.calls, await warnings(here)])).not.toContain('hunter2')
  expect(await warnings(here)).toEqual([expect.stringContaining('services.web.security_opt[0]')])
})

test('200: warns about a stack whose last deployer was deleted', async () => {
  const here = await givenRefused()
  await deployedBy(here, 'someone-gone')
  await judged(here)
  expect(await warnings(here)).toHaveLength(1)
})

test('200: does not warn about a stack last deployed by an admin', async () => {
  const here = await givenRefused()
  await judged(here)
  await deployedBy(here, 'admin')
  expect(await judged(here)).toEqual([])
  expect(await warnings(here)).toEqual([])
})

test('200: the warning disappears after the stack needs fewer permissions', async () => {
  const here = await givenRefused()
  await judged(here)
  const body = { compose: compose.replace('-500', '500') }
  const changed = await call(update, { ports: here.ports, as: 'operator', path, body })
  expect([changed.status, await warnings(here)]).toEqual([200, []])
  expect(await judged(here)).toEqual([])
  expect((await here.ports.stacks.find('shop'))?.policyWarning).toBeNull()
})

test('200: its operator can read, restart and stop it; 403: but not deploy it', async () => {
  const here = await givenRefused()
  await judged(here)
  const ask = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(status, ask)).json).toMatchObject([{ service: 'web', state: 'running' }])
  expect((await call(logs, ask)).status).toBe(200)
  expect((await call(restart, { ...ask, body: {} })).json.status).toBe('running')
  expect((await call(deploy, { ...ask, body: { force_recreate: true } })).status).toBe(403)
  expect((await call(stop, ask)).json.status).toBe('stopped')
})
