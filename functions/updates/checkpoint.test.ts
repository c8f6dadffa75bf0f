import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import type { BackupWorld } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import {
  compose,
  keptVolume,
  path,
  runs,
  type Shop,
  shopAfterUpdate,
  shopWithCheckpoint,
  spoil,
  textIn,
  updatedShop,
} from '../../local/harness/checkpoints.ts'
import {
  applyOnce,
  container,
  fresh,
  hour,
  minute,
  newest,
  old,
  publish,
  running,
  stackOf,
} from '../../local/harness/updates.ts'
import { givenStack } from '../../local/harness/world.ts'
import removeJob from '../backup-jobs/remove.ts'
import runJob from '../backup-jobs/run.ts'
import updateJob from '../backup-jobs/update.ts'
import { internalError } from '../core/errors.ts'
import { pauseLease } from '../core/leases/pause.ts'
import type { AuditRow } from '../core/records/audit-row.ts'
import deploy from '../stacks/deploy.ts'
import updateStack from '../stacks/update.ts'
import getPolicy from '../stacks/update-policy/get.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import apply from './apply.ts'
import listUpdates from './list.ts'
import look from './look.ts'

const rows = async ({ ports }: BackupWorld) =>
  (await ports.audit.list({ action: 'stacks.images', limit: 50 })).rows.toReversed()
const summary = ({ action, outcome }: AuditRow) => [action, outcome]
test('backs the stack up, and updates it after that', async () => {
  const here = await shopWithCheckpoint()
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  const [checkpoint] = await runs(here, 'backup')
  expect(checkpoint).toMatchObject({ status: 'succeeded', by: 'admin', jobId: here.job })
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect(await stackOf(here)).toMatchObject({
    openUpdate: { checkpoint: { runId: checkpoint?.id } },
    undo: { runId: checkpoint?.id },
  })
  expect((await stackOf(here)).checkpoint).toBeUndefined()
  await applyOnce(here)
  await applyOnce(here, 61_000)
  expect((await runs(here, 'backup')).length).toBe(1)
})

test('what was unhealthy before the checkpoint does not count against the update', async () => {
  const here = await shopWithCheckpoint()
  spoil(here)
  await applyOnce(here)
  // A backup can restart what it backs up.
  container(here).health = 'starting'
  here.engine.state.touch()
  await applyOnce(here)
  spoil(here)
  await applyOnce(here)
  await applyOnce(here, 61_000)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await stackOf(here)).update).toMatchObject({ outcome: 'unknown' })
})

test('a bad update goes back with its data, and what was written since stays', async () => {
  const here = await updatedShop()
  const others = container(here, 'shop-other-1').id
  await applyOnce(here)
  spoil(here)
  await applyOnce(here, 15_000)
  await applyOnce(here, 15_000)
  expect(running(here)).toBe(`nginx@${old}`)
  expect(container(here).state).toBe('running')
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(await textIn(here, keptVolume(here))).toBe('migrated')
  await applyOnce(here, 15_000)
  const stack = await stackOf(here)
  expect(stack.update).toMatchObject({ outcome: 'bad', rollback: { state: 'done', attempts: 1 } })
  expect([stack.openUpdate, stack.undo]).toEqual([undefined, undefined])
  expect(stack.heldBack).toMatchObject([{ digest: fresh }])
  expect(container(here, 'shop-other-1').id).toBe(others)
  const [restore] = await runs(here, 'restore')
  expect(restore?.warnings.join()).toContain(keptVolume(here))
  const all = await rows(here)
  expect(all.map(summary)).toEqual([
    ['stacks.images.update', 'succeeded'],
    ['stacks.images.roll-back', 'succeeded'],
    ['stacks.images.restore', 'succeeded'],
  ])
  expect(all.at(-1)?.values.kept).toContain(keptVolume(here))
})

test('after it went back, the next newer image is applied with a checkpoint of its own', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  spoil(here)
  for (let pass = 0; pass < 3; pass += 1) await applyOnce(here, 15_000)
  await publish(here, newest)
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${newest}`)
  expect((await runs(here, 'backup')).length).toBe(2)
})

test('does not update after a checkpoint that failed', async () => {
  const here = await shopWithCheckpoint()
  const { ports } = here
  const { open } = ports.backupTargets
  ports.backupTargets.open = async () => {
    throw internalError('the disk is full')
  }
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  const [failed] = await runs(here, 'backup')
  const { update, checkpoint } = await stackOf(here)
  expect(update).toMatchObject({ outcome: 'failed', deploymentId: null })
  expect(update?.reason).toBe(`the checkpoint failed, see backup run ${failed?.id}`)
  expect(checkpoint).toBeUndefined()
  ports.backupTargets.open = open
  await applyOnce(here, 59 * minute)
  expect((await runs(here, 'backup')).length).toBe(1)
  await applyOnce(here, 2 * minute)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('another process goes on with a checkpoint that was made', async () => {
  const here = await shopWithCheckpoint()
  await applyOnce(here)
  const later = { ...here.ports, background: { ...here.ports.background, processId: 'p2' } }
  await apply.with(later)()
  await here.ports.background.settled()
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await runs(here, 'backup')).length).toBe(1)
})

test('makes a checkpoint again whose process died before it began', async () => {
  const here = await shopWithCheckpoint()
  const checkpoint = { runId: 'gone', jobId: here.job, contentRevision: 2, deploymentId: null }
  await here.ports.stacks.replace({ ...present(await here.ports.stacks.find('shop')), checkpoint })
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await runs(here, 'backup')).length).toBe(1)
})

test.each([
  [
    'the files changed',
    async ({ ports }: Shop) => {
      const body = { compose: `${compose}# later\n` }
      await call(updateStack, { ports, as: 'admin', path, body })
      await call(deploy, { ports, as: 'admin', path, body: {} })
    },
  ],
  [
    'the stack was deployed',
    async ({ ports }: Shop) => {
      await call(deploy, { ports, as: 'admin', path, body: { force_recreate: true } })
    },
  ],
  ['an hour went by', async ({ ports }: Shop) => ports.clock.advance(hour)],
])('makes the checkpoint again after %s', async (_, change) => {
  const here = await shopWithCheckpoint()
  await applyOnce(here)
  await change(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await runs(here, 'backup')).length).toBe(2)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('a window that ends during the checkpoint: the next one begins with another checkpoint', async () => {
  const here = await shopWithCheckpoint({
    window: { schedule: '0 * * * *', timezone: 'UTC', duration_minutes: 20 },
  })
  const { clock } = here.ports
  clock.advance(hour - (clock.now() % hour))
  await applyOnce(here)
  expect((await runs(here, 'backup')).length).toBe(1)
  await applyOnce(here, 30 * minute)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await stackOf(here)).checkpoint).toBeUndefined()
  await look.with(here.ports)()
  await applyOnce(here, 30 * minute)
  expect((await runs(here, 'backup')).length).toBe(2)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test.each([
  ['deleted', ({ ports, job }: Shop) => call(removeJob, { ports, as: 'admin', path: { id: job } })],
  [
    'changed to other sources',
    ({ ports, job }: Shop) => {
      const sources = [{ kind: 'volume', name: 'loose' }]
      const body = { name: 'nightly', sources, target: { kind: 'local', path: 'shop' } }
      return call(updateJob, { ports, as: 'admin', path: { id: job }, body })
    },
  ],
])('does not update while its backup job is %s', async (_, change) => {
  const here = await shopWithCheckpoint()
  expect((await change(here)).status).toBeLessThan(300)
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await stackOf(here)).updatePolicy?.actsAs?.blocked).toMatch(/set another/)
  expect(await runs(here, 'backup')).toEqual([])
})

test('files that someone saved during the watch are not deployed when an update goes back', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  const edited = compose.replaceAll('nginx:1', 'nginx:9')
  const body = { compose: edited }
  expect((await call(updateStack, { ports: here.ports, as: 'admin', path, body })).status).toBe(200)
  spoil(here)
  for (let pass = 0; pass < 3; pass += 1) await applyOnce(here, 15_000)
  expect(running(here)).toBe(`nginx@${old}`)
  const stack = await stackOf(here)
  expect(stack.update?.rollback).toMatchObject({ state: 'done' })
  // They are still the newest files.
  expect(await here.ports.texts.get(stack.files.compose)).toBe(edited)
})

test('an update that someone ends while its backup is read is not taken back', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  spoil(here)
  await applyOnce(here, 15_000)
  const { open } = here.ports.backupTargets
  here.ports.backupTargets.open = async (...given) => {
    here.ports.backupTargets.open = open
    const again = { force_recreate: true }
    const { json } = await call(deploy, { ports: here.ports, as: 'admin', path, body: again })
    expect(json.status).toBe('succeeded')
    return open(...given)
  }
  await applyOnce(here, 15_000)
  expect(await textIn(here, 'shop_data')).toBe('migrated')
  expect(running(here)).toBe(`nginx@${fresh}`)
  const [restore] = await runs(here, 'restore')
  expect(restore).toMatchObject({ status: 'failed' })
  expect(restore?.error).toContain('no longer taken back')
})

test('a pause of the service does not stop what takes an update back', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  spoil(here)
  await applyOnce(here, 15_000)
  const { leases, backupRuns } = here.ports
  const { create } = backupRuns
  backupRuns.create = async (run) => {
    const made = await create(run)
    await leases.acquire(pauseLease, 'someone', 60_000)
    return made
  }
  await applyOnce(here, 15_000)
  expect((await leases.peek(pauseLease)).held).toBe(true)
  expect(running(here)).toBe(`nginx@${old}`)
})

/** Adds a stack without a checkpoint that runs the same image, and applies what is newer. */
async function givenWiki(here: Shop) {
  const { ports } = here
  await givenStack(here, 'wiki', {
    compose: 'services: {web: {image: "nginx:1", command: sleep 3600, ports: ["82"]}}\n',
  })
  const body = { mode: 'apply', minimum_age_hours: 0 }
  expect((await call(setPolicy, { ports, as: 'admin', path: wiki, body })).status).toBe(200)
}

const wiki = { name: 'wiki' }
const nextOf = async ({ ports }: Shop, stack: string) =>
  (await call(listUpdates, { ports, as: 'viewer', query: { stack } })).json.find(
    (one: { service: string }) => one.service === 'web',
  ).next

test('other stacks of the host wait for a checkpoint, and say so', async () => {
  const here = await shopWithCheckpoint()
  await givenWiki(here)
  const { backupTargets, background } = here.ports
  const { open } = backupTargets
  let goOn = () => {}
  const released = new Promise<void>((resolve) => {
    goOn = resolve
  })
  backupTargets.open = async (...given) => {
    await released
    return open(...given)
  }
  await apply.with(here.ports)()
  expect((await nextOf(here, 'shop')).reason).toBe('the checkpoint before its update is being made')
  expect((await nextOf(here, 'wiki')).reason).toBe('the checkpoint of stack shop is being made')
  await apply.with(here.ports)()
  expect((await here.ports.stacks.find('wiki'))?.openUpdate).toBe(undefined)
  goOn()
  await background.settled()
  expect(await nextOf(here, 'wiki')).toMatchObject({ kind: 'due', reason: null })
})

test('an update that cannot be taken back holds up its host, which says the way out', async () => {
  const here = await shopWithCheckpoint()
  await givenWiki(here)
  for (let pass = 0; pass < 3; pass += 1) await applyOnce(here)
  const { ports } = here
  ports.backupTargets.open = async () => {
    throw internalError('the target is away')
  }
  spoil(here)
  await applyOnce(here, 15_000)
  expect((await nextOf(here, 'wiki')).reason).toBe('the update of stack shop is being taken back')
  const policy = async () => (await call(getPolicy, { ports, as: 'viewer', path: wiki })).json
  expect((await policy()).blocked).toBe(null)
  await applyOnce(here, 15_000)
  await applyOnce(here, 15_000)
  const { blocked } = await policy()
  expect(blocked).toContain('the update of stack shop could not be taken back yet')
  expect(blocked).toMatch(/the target is away.*or deploy stack shop$/)
  expect((await nextOf(here, 'wiki')).reason).toBe(blocked)
  // The way out.
  await call(deploy, { ports, as: 'admin', path, body: { force_recreate: true } })
  expect((await policy()).blocked).toBe(null)
})

test('a restore that failed is tried again', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  const { open } = here.ports.backupTargets
  here.ports.backupTargets.open = async () => {
    throw internalError('the target is away')
  }
  spoil(here)
  await applyOnce(here, 15_000)
  await applyOnce(here, 15_000)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await stackOf(here)).update?.rollback).toMatchObject({ state: 'due' })
  here.ports.backupTargets.open = open
  await applyOnce(here, 5 * minute)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect((await stackOf(here)).update?.rollback).toMatchObject({ state: 'done' })
})

test('a restore whose deployment failed keeps the data, and only deploys again', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  spoil(here)
  const { execute } = here.engine
  here.engine.execute = async (step, ...more) => {
    if (step.kind === 'container') throw internalError('no space left')
    return execute(step, ...more)
  }
  await applyOnce(here, 15_000)
  await applyOnce(here, 15_000)
  expect(await textIn(here, 'shop_data')).toBe('orders')
  // The newer version does not run with the data from before.
  const web = [...here.engine.state.containers.values()].filter(({ name }) => name === 'shop-web-1')
  expect(web.filter(({ state }) => state === 'running')).toEqual([])
  here.engine.execute = execute
  await applyOnce(here, 5 * minute)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect(container(here).state).toBe('running')
  expect((await stackOf(here)).update?.rollback).toMatchObject({ state: 'done' })
  expect((await runs(here, 'restore')).length).toBe(1)
})

test('retention leaves the checkpoint for as long as the update can be undone', async () => {
  const here = await shopAfterUpdate()
  const { ports } = here
  const body = {
    name: 'nightly',
    sources: [{ kind: 'stack', name: 'shop' }],
    target: { kind: 'local', path: 'shop' },
    retention: { keep_last: 1 },
  }
  await call(updateJob, { ports, as: 'admin', path: { id: here.job }, body })
  await backUp(here)
  await backUp(here)
  expect((await runs(here, 'backup')).length).toBe(3)
  ports.clock.advance(49 * hour)
  await backUp(here)
  expect((await runs(here, 'backup')).length).toBe(2)
})

async function backUp({ ports, job }: Shop) {
  const asked = { ports, as: 'admin' as const, path: { id: job }, query: { wait: 'true' } }
  expect((await call(runJob, asked)).status).toBe(200)
}
