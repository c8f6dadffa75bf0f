import { expect, test } from 'vitest'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { call } from '../../local/harness/call.ts'
import {
  keptVolume,
  path,
  type Shop,
  shopAfterUpdate,
  textIn,
} from '../../local/harness/checkpoints.ts'
import { hasSecondRing } from '../../local/harness/rings.ts'
import {
  applyOnce,
  container,
  fresh,
  minute,
  old,
  running,
  stackOf,
} from '../../local/harness/updates.ts'
import recoverRestores from '../backup-runs/recover-restores.ts'
import recoverDeployments from './recover-deployments.ts'
import undo from './undo.ts'

/** Every so many calls, an undo is killed: each in the second ring. */
const stride = Number(process.env.UNDO_KILL_STRIDE ?? (hasSecondRing ? 1 : 12))

/** Ports through which a process reaches anything that outlives it. */
const lasting = [
  ...(['audit', 'backupJobs', 'backupRuns', 'deployments', 'leases', 'owners'] as const),
  ...(['stacks', 'texts'] as const),
]

/**
 * Returns the ports of a process that is killed at a call: neither that call nor a later one has an
 * effect or an answer.
 */
function mortal(here: Shop, killAt: number) {
  let calls = 0
  let die = () => {}
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died')
  })
  const wrapped = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          calls += 1
          if (calls < killAt) return Reflect.apply(value, target, given)
          die()
          return new Promise(() => {})
        }
      },
    })
  const background = memoryBackground('dead')
  const { engines } = here.ports
  const ports = {
    ...here.ports,
    background,
    engines: { ...engines, on: async (host: string) => wrapped(await engines.on(host)) },
    ...Object.fromEntries(lasting.map((name) => [name, wrapped(here.ports[name])])),
  }
  return { ports, background, died }
}

/** Lets another process do what its schedules do, until nothing is in progress. */
async function goOn(here: Shop) {
  for (let pass = 0; pass < 15; pass += 1) {
    here.ports.clock.advance(minute)
    await recoverDeployments.with(here.ports)()
    await recoverRestores.with(here.ports)()
    await applyOnce(here)
    const isBusy = (await here.ports.backupRuns.listUnfinished()).length > 0
    if (!isBusy && !(await stackOf(here)).openUpdate) return
  }
}

/** Kills an undo at a call. Returns whether it was still in progress then. */
async function killedAt(at: number): Promise<boolean> {
  const here = await shopAfterUpdate()
  const others = container(here, 'shop-other-1').id
  const { ports, background, died } = mortal(here, at)
  const answer = call(undo, { ports, as: 'admin', path })
  const ended = await Promise.race([died, answer.then(() => background.settled())])
  await goOn(here)
  const stack = await stackOf(here)
  expect([at, stack.openUpdate, container(here).state]).toEqual([at, undefined, 'running'])
  expect(container(here, 'shop-other-1').id).toBe(others)
  const isUndone = stack.update?.undoneBy === 'admin'
  const data = await textIn(here, 'shop_data')
  if (!isUndone) {
    expect([at, running(here), data]).toEqual([at, `nginx@${fresh}`, 'migrated'])
    return ended === 'died'
  }
  expect([at, stack.update?.rollback?.state]).toEqual([at, 'done'])
  expect([at, running(here), data]).toEqual([at, `nginx@${old}`, 'orders'])
  expect([at, await textIn(here, keptVolume(here))]).toEqual([at, 'migrated'])
  return ended === 'died'
}

test('202: an undo that is killed at any call is either not begun or finished by another process', async () => {
  let at = 1
  while (await killedAt(at)) at += stride
  // It makes about this many calls.
  expect(at).toBeGreaterThan(50)
}, 300_000)
