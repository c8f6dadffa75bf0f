import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import type { BackupWorld } from '../../local/harness/backups.ts'
import { givenVolume } from '../../local/harness/backups.ts'
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
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import {
  applyOnce,
  container,
  fresh,
  hour,
  minute,
  old,
  running,
  stackOf,
} from '../../local/harness/updates.ts'
import recoverRestores from '../backup-runs/recover-restores.ts'
import removeRun from '../backup-runs/remove.ts'
import { firstState } from '../core/records/retention-state.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import undo from './undo.ts'
import updateStack from './update.ts'

const undoes = (
  { ports }: BackupWorld,
  as: TestCaller = 'admin',
  query: Record<string, string> = { wait: 'true' },
) => call(undo, { ports, as, path, query })
const lastUpdate = async ({ ports }: BackupWorld) =>
  (await call(get, { ports, as: 'viewer', path })).json.last_update

test('200: a person undoes a good update with its data; no update takes the image again', async () => {
  const here = await shopAfterUpdate()
  const [checkpoint] = await runs(here, 'backup')
  expect((await lastUpdate(here)).undo).toMatchObject({ run_id: checkpoint?.id })
  const { status, json } = await undoes(here)
  expect([status, json.status, json.error]).toEqual([200, 'succeeded', null])
  expect(json).toMatchObject({ kind: 'restore', restores: checkpoint?.id })
  expect(await lastUpdate(here)).toMatchObject({ undone_by: 'admin', undo: null })
  expect(running(here)).toBe(`nginx@${old}`)
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(await textIn(here, keptVolume(here))).toBe('migrated')
  await applyOnce(here)
  const stack = await stackOf(here)
  expect(stack.update).toMatchObject({ undoneBy: 'admin', rollback: { state: 'done' } })
  expect(stack.heldBack).toMatchObject([{ digest: fresh, reason: 'admin undid it' }])
  expect(await lastUpdate(here)).toMatchObject({ undo: null, rollback: { state: 'done' } })
  await applyOnce(here, 2 * hour)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
})

test('202 and 409: of two requests at once one undoes it; later there is nothing to undo', async () => {
  const here = await shopAfterUpdate()
  const both = await Promise.all([undoes(here, 'admin', {}), undoes(here, 'admin', {})])
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
  await here.ports.background.settled()
  await applyOnce(here)
  expect((await runs(here, 'restore')).length).toBe(1)
  const again = await undoes(here)
  expect([again.status, again.json.error]).toEqual([409, expect.stringContaining('rollback shop')])
})

test('202: an update that is still watched is undone, and judged no more', async () => {
  const here = await updatedShop()
  await applyOnce(here)
  expect((await undoes(here, 'admin', {})).status).toBe(202)
  await here.ports.background.settled()
  spoil(here)
  await applyOnce(here, 2 * minute)
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect((await stackOf(here)).update).toMatchObject({ undoneBy: 'admin' })
})

test.each([
  [
    'a day went by',
    'more than a day',
    async ({ ports }: Shop) => {
      ports.clock.advance(24 * hour)
    },
  ],
  [
    'the stack was deployed',
    'changed it since',
    async ({ ports }: Shop) => {
      await call(deploy, { ports, as: 'admin', path, body: { force_recreate: true } })
    },
  ],
  [
    'its files were changed',
    'files were changed',
    async ({ ports }: Shop) => {
      await call(updateStack, {
        ports,
        as: 'admin',
        path,
        body: { compose: `${compose}# later\n` },
      })
    },
  ],
  [
    'the backup was removed',
    'was removed',
    async (here: Shop) => {
      const [checkpoint] = await runs(here, 'backup')
      const asked = {
        ports: here.ports,
        as: 'admin' as const,
        path: { id: present(checkpoint).id },
      }
      expect((await call(removeRun, asked)).status).toBe(204)
    },
  ],
  [
    'the clock jumped',
    'the clock',
    async ({ ports }: Shop) => {
      await ports.retentionStates.create(firstState({ at: ports.clock.now(), owed: 0 }))
      ports.clock.jump(3 * hour)
    },
  ],
])('409: %s', async (_, reason, change) => {
  const here = await shopAfterUpdate()
  await change(here)
  const { status, json } = await undoes(here)
  expect([status, json.error]).toEqual([409, expect.stringContaining(reason)])
  expect(await textIn(here, 'shop_data')).toBe('migrated')
  expect((await stackOf(here)).heldBack ?? []).toEqual([])
})

test('409: no update had a checkpoint', async () => {
  const here = await shopWithCheckpoint({ checkpoint: null })
  await applyOnce(here)
  const { status, json } = await undoes(here)
  expect([status, json.error]).toEqual([409, expect.stringContaining('cli stacks rollback shop')])
})

test('403 and 404: needs the rights to restore the stack', async () => {
  const here = await shopAfterUpdate()
  const needed = ['stacks:read', 'stacks:deploy', 'stacks:create', 'stacks:update'] as const
  const all = [...needed, 'stacks:secrets', 'backups:manage'] as const
  for (const lacking of all.slice(1)) {
    const as = await givenRole(
      here,
      all.filter((one) => one !== lacking),
    )
    expect([lacking, (await undoes(here, as)).status]).toEqual([lacking, 403])
  }
  const none = { ports: here.ports, as: 'admin' as const, path: { name: 'none' } }
  expect((await call(undo, none)).status).toBe(404)
  expect((await stackOf(here)).openUpdate).toBeUndefined()
  expect((await undoes(here, await givenRole(here, all))).status).toBe(200)
})

test('422: a damaged backup changes nothing, and the update can still be undone', async () => {
  const here = await shopAfterUpdate()
  const { objects } = here.ports.backupTargets
  const [name, stored] = present(
    [...objects].find(([one]) => one.endsWith('/manifest.json')) as [string, Buffer] | undefined,
  )
  objects.set(name, Buffer.from('{}'))
  expect((await undoes(here)).status).toBe(422)
  const stack = await stackOf(here)
  expect([stack.openUpdate, stack.heldBack]).toEqual([undefined, []])
  expect(stack.update).toMatchObject({ outcome: 'good' })
  objects.set(name, stored)
  expect((await undoes(here)).status).toBe(200)
})

/** Begins an undo in a process that dies before its restore. */
async function undoneByDead(here: Shop) {
  const background = { ...here.ports.background, processId: 'dead', run: () => {} }
  const answer = undoes({ ...here, ports: { ...here.ports, background } }, 'admin', {})
  answer.catch(() => {})
  for (let at = 0; at < 200 && !(await stackOf(here)).openUpdate; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return present((await stackOf(here)).openUpdate?.restoreId)
}

test('202: another process begins the restore of an undo whose process died', async () => {
  const here = await shopAfterUpdate()
  await undoneByDead(here)
  await applyOnce(here)
  expect(await textIn(here, 'shop_data')).toBe('migrated')
  await applyOnce(here, 5 * minute)
  await applyOnce(here)
  expect([running(here), await textIn(here, 'shop_data')]).toEqual([`nginx@${old}`, 'orders'])
  expect((await stackOf(here)).update).toMatchObject({ rollback: { state: 'done' } })
})

test('202: a restore whose process died in the middle is undone first, and then done again', async () => {
  const here = await shopAfterUpdate()
  const id = await undoneByDead(here)
  const [checkpoint] = await runs(here, 'backup')
  const place = { kind: 'volume' as const, name: 'shop_data' }
  const aside = 'shop_data_before_dead'
  await givenVolume(here, aside, 'migrated')
  await givenVolume(here, 'shop_data', 'half')
  await here.ports.backupRuns.create({
    ...present(checkpoint),
    id,
    kind: 'restore',
    status: 'running',
    journal: { phase: 'replacing', made: [], moved: [{ place, aside, isWhole: true }] },
    undoes: { stack: 'shop', deploymentId: 'any', services: ['web'] },
  })
  await applyOnce(here)
  expect(await textIn(here, 'shop_data')).toBe('half')
  await recoverRestores.with(here.ports)()
  expect(await textIn(here, 'shop_data')).toBe('migrated')
  await applyOnce(here)
  await applyOnce(here)
  expect([running(here), await textIn(here, 'shop_data')]).toEqual([`nginx@${old}`, 'orders'])
})

test('202: a restore whose process died with all data in place is only deployed', async () => {
  const here = await shopAfterUpdate()
  const id = await undoneByDead(here)
  const [checkpoint] = await runs(here, 'backup')
  await givenVolume(here, 'shop_data', 'orders')
  const web = container(here)
  await here.engine.act(web.id, { kind: 'stop' })
  await here.ports.backupRuns.create({
    ...present(checkpoint),
    id,
    kind: 'restore',
    status: 'running',
    stopped: [{ id: web.id, name: web.name }],
    journal: { phase: 'deploying', made: [], moved: [] },
    undoes: { stack: 'shop', deploymentId: 'any', services: ['web'] },
  })
  await recoverRestores.with(here.ports)()
  // It would migrate the data again.
  expect(container(here)).toMatchObject({ id: web.id, state: 'exited' })
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect(container(here).state).toBe('running')
  expect((await runs(here, 'restore')).length).toBe(1)
  expect((await stackOf(here)).update).toMatchObject({ rollback: { state: 'done' } })
})
