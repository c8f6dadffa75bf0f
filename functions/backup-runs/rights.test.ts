import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  givenVolume,
  runJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost } from '../../local/harness/world.ts'
import getJob from '../backup-jobs/get.ts'
import listJobs from '../backup-jobs/list.ts'
import run from '../backup-jobs/run.ts'
import type { BackupRun } from '../core/records/backup-run.ts'
import removeStack from '../stacks/remove.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import restore from './restore.ts'
import verify from './verify.ts'

const system = { kind: 'system' }
const shop = { kind: 'stack', name: 'shop' }
const data = { kind: 'volume', name: 'shop_data' }
const loose = { kind: 'volume', name: 'loose' }

async function ran(here: BackupWorld, ...sources: object[]) {
  here.ports.clock.advance(1)
  const name = `job-${here.ports.clock.now()}`
  return runJob(here, await givenJob(here, { name, sources }))
}

/** Changes a run to a record of a version that recorded nothing about its sources. */
async function madeEarlier({ ports }: BackupWorld, found: BackupRun, more = {}) {
  const { kinds: _, volumes: __, ...earlier } = found
  await ports.backupRuns.save({ ...earlier, ...more })
}

const seen = ({ ports }: BackupWorld, id: string, as: TestCaller) =>
  call(get, { ports, as, path: { id } })

const listed = async ({ ports }: BackupWorld, as: TestCaller): Promise<string[]> =>
  (await call(list, { ports, as })).json.map(({ id }: { id: string }) => id)

/** Restores to the end. A restore that was begun must succeed. */
async function restored({ ports }: BackupWorld, id: string, body: object, as: TestCaller) {
  const answer = await call(restore, { ports, as, path: { id }, body })
  await ports.background.settled()
  if (answer.status !== 202) return answer
  expect(await ports.backupRuns.find(answer.json.id)).toMatchObject({ status: 'succeeded' })
  return answer
}

function forget({ engine }: BackupWorld, name: string) {
  engine.state.volumes.delete(name)
  engine.state.archives.delete(`volume ${name}`)
}

test('403: a run needs the permissions to read its sources, and lists leave it out', async () => {
  const here = await backupWorld()
  const ofSystem = await ran(here, system)
  const ofShop = await ran(here, shop)
  const ofLoose = await ran(here, loose)
  const ofAll = await ran(here, system, shop, loose)
  const reader = await givenRole(here, ['backups:read', 'volumes:read'])
  expect(await listed(here, 'admin')).toEqual([ofAll, ofLoose, ofShop, ofSystem].map(idOf))
  expect(await listed(here, 'viewer')).toEqual([ofLoose, ofShop].map(idOf))
  expect(await listed(here, reader)).toEqual([ofLoose.id])
  expect((await seen(here, ofLoose.id, reader)).status).toBe(200)
  expect((await seen(here, ofSystem.id, 'admin')).status).toBe(200)
  expect((await seen(here, ofShop.id, reader)).json.error).toBe(
    `backup run ${ofShop.id}: its sources need stacks:read`,
  )
  const refused = await seen(here, ofAll.id, 'operator')
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringMatching(/need settings:manage on every host and stacks:read and volumes:read$/),
  ])
})

const idOf = ({ id }: { id: string }) => id

test('403: a job needs the same permissions as its runs, and lists leave it out', async () => {
  const here = await backupWorld()
  const { ports } = here
  const ofSystem = await givenJob(here, { name: 'own', sources: [system, loose] })
  const ofShop = await givenJob(here, { name: 'shop', sources: [shop] })
  const reader = await givenRole(here, ['backups:read', 'volumes:read'])
  const namesFor = async (as: TestCaller): Promise<string[]> =>
    (await call(listJobs, { ports, as })).json.map(({ name }: { name: string }) => name)
  const asked = (id: string, as: TestCaller) => call(getJob, { ports, as, path: { id } })
  expect(await namesFor('admin')).toEqual(['own', 'shop'])
  expect(await namesFor('operator')).toEqual(['shop'])
  expect(await namesFor(reader)).toEqual([])
  expect((await asked(ofSystem, 'admin')).status).toBe(200)
  expect((await asked(ofShop, 'viewer')).status).toBe(200)
  const refused = await asked(ofSystem, 'operator')
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'backup job own: its sources need settings:manage on every host and volumes:read',
  ])
})

test('403: verifying and restoring need the same', async () => {
  const here = await backupWorld()
  const { ports } = here
  const { id } = await ran(here, system, loose)
  const path = { id }
  expect((await call(verify, { ports, as: 'operator', path })).status).toBe(403)
  expect((await call(verify, { ports, as: 'admin', path })).status).toBe(200)
  await ports.settings.save({ 'stacks.shared_volumes': ['loose'] })
  forget(here, 'loose')
  expect((await restored(here, id, { sources: [loose] }, 'operator')).status).toBe(403)
  expect((await restored(here, id, { sources: [loose] }, 'admin')).status).toBe(202)
})

test('200: a list is complete however many runs it leaves out', async () => {
  const here = await backupWorld()
  const first = await ran(here, shop)
  for (let count = 0; count < 201; count += 1) {
    here.ports.clock.advance(1)
    const hidden = { ...first, id: here.ports.random.id(), kinds: ['system' as const] }
    await here.ports.backupRuns.create(hidden)
  }
  expect(await listed(here, 'viewer')).toEqual([first.id])
})

test('403: an admin of some hosts does not see runs of the service’s own state', async () => {
  const here = await backupWorld()
  const { id } = await ran(here, system)
  const local = present(await here.ports.hosts.find('local'))
  await here.ports.hosts.replace({ ...local, tags: ['lab'] })
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await seen(here, id, limited)).status).toBe(403)
  expect(await listed(here, limited)).toEqual([])
  const ofShop = await ran(here, shop)
  expect(await listed(here, limited)).toEqual([ofShop.id])
})

test('403: a run is hidden from its start, before it contains anything', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { sources: [system] })
  const begun = await call(run, { ports: here.ports, as: 'admin', path: { id } })
  expect(begun.json).toMatchObject({ status: 'running', contents: [] })
  expect((await seen(here, begun.json.id, 'operator')).status).toBe(403)
  await here.ports.background.settled()
})

test('403: the contents of a run of an earlier version say what it needs', async () => {
  const here = await backupWorld()
  const reader = await givenRole(here, ['backups:read', 'stacks:read'])
  const ofSystem = await ran(here, system)
  const ofShop = await ran(here, shop)
  const ofLoose = await ran(here, loose)
  for (const one of [ofSystem, ofShop, ofLoose]) await madeEarlier(here, one)
  expect((await seen(here, ofSystem.id, 'operator')).status).toBe(403)
  expect(await listed(here, 'operator')).toEqual([ofLoose.id, ofShop.id])
  expect(await listed(here, reader)).toEqual([ofShop.id])
  await madeEarlier(here, ofShop, { contents: [], status: 'failed' })
  expect(await listed(here, 'operator')).toEqual([ofLoose.id])
})

test('403: a run of an earlier version is deleted with the rights to what it contains', async () => {
  const here = await backupWorld()
  const { ports } = here
  const ofLoose = await ran(here, loose)
  const ofShop = await ran(here, shop)
  for (const one of [ofLoose, ofShop]) await madeEarlier(here, one)
  const removed = (id: string, as: TestCaller) => call(remove, { ports, as, path: { id } })
  const refused = await removed(ofLoose.id, 'operator')
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume loose: no stack created it: backing it up requires/),
  ])
  expect((await ports.backupRuns.find(ofLoose.id))?.sha256).toBe(ofLoose.sha256)
  expect((await removed(ofShop.id, 'operator')).status).toBe(204)
  expect((await removed(ofLoose.id, 'admin')).status).toBe(204)
})

test('403: a restore needs the permissions to read what it restored', async () => {
  const here = await backupWorld()
  const reader = await givenRole(here, ['backups:read', 'volumes:read'])
  const { id } = await ran(here, shop)
  const { json } = await restored(here, id, { overwrite: true }, 'admin')
  expect((await seen(here, json.id, reader)).status).toBe(403)
  expect((await seen(here, json.id, 'viewer')).status).toBe(200)
  const services = ['db']
  const part = await restored(
    here,
    id,
    { sources: [{ ...shop, services }], overwrite: true },
    'admin',
  )
  expect(part.json.contents).toMatchObject([{ kind: 'volume', source: 'shop_data' }])
  expect((await seen(here, part.json.id, reader)).status).toBe(403)
})

test('403: data that no stack owned is not restored under a free name elsewhere', async () => {
  const here = await backupWorld()
  const { engine } = await givenHost(here, 'far')
  const { id } = await ran(here, loose, shop)
  const body = { sources: [loose], host: 'far' }
  const refused = await restored(here, id, body, 'operator')
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume loose: no stack created it: restoring it requires/),
  ])
  expect(engine.state.volumes.size).toBe(0)
  expect((await restored(here, id, body, 'admin')).status).toBe(202)
  expect([...engine.state.volumes.keys()]).toEqual(['loose'])
})

test('403: the volume of a stack needs the right to deploy that stack, by any name', async () => {
  const here = await backupWorld()
  const { id } = await ran(here, data)
  const keeper = await givenRole(here, ['backups:manage', 'stacks:read', 'volumes:read'])
  forget(here, 'shop_data')
  const refused = await restored(here, id, {}, keeper)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume shop_data: it belongs to another stack/),
  ])
  expect((await restored(here, id, {}, 'operator')).status).toBe(202)
})

test('403: a volume that became a stack’s after its backup is still that of others', async () => {
  const here = await backupWorld()
  const { id } = await ran(here, loose)
  const claim = { hostId: 'local', kind: 'volume' as const, name: 'loose' }
  await here.ports.owners.claim({ ...claim, stack: 'shop', at: 1 })
  forget(here, 'loose')
  expect((await restored(here, id, {}, 'operator')).status).toBe(403)
})

test('202: restores a stack of a run that also has data of others', async () => {
  const here = await backupWorld()
  const { id } = await ran(here, loose, shop)
  const body = { sources: [shop], stack_name: 'copy' }
  expect((await restored(here, id, body, 'operator')).status).toBe(202)
  expect((await restored(here, id, { overwrite: true }, 'operator')).status).toBe(403)
})

test('202: restores a stack, and its volume, after the stack was deleted', async () => {
  const here = await backupWorld()
  const { id } = await ran(here, shop)
  const alone = await ran(here, data)
  const path = { name: 'shop' }
  await call(removeStack, { ports: here.ports, as: 'admin', path })
  forget(here, 'shop_data')
  expect((await restored(here, alone.id, {}, 'operator')).status).toBe(202)
  forget(here, 'shop_data')
  expect((await restored(here, id, {}, 'operator')).status).toBe(202)
})

test('403: a volume in a run of an earlier version is its stack’s, or that of others', async () => {
  const here = await backupWorld()
  const ofShop = await ran(here, shop)
  const ofLoose = await ran(here, loose)
  for (const one of [ofShop, ofLoose]) await madeEarlier(here, one)
  forget(here, 'loose')
  expect((await restored(here, ofLoose.id, {}, 'operator')).status).toBe(403)
  expect((await restored(here, ofLoose.id, {}, 'admin')).status).toBe(202)
  expect((await restored(here, ofShop.id, { overwrite: true }, 'operator')).status).toBe(202)
})

test('403: a volume that the record of a run does not name is that of others', async () => {
  const here = await backupWorld()
  const ofShop = await ran(here, shop)
  await here.ports.backupRuns.save({ ...ofShop, volumes: [] })
  expect((await restored(here, ofShop.id, { overwrite: true }, 'operator')).json.error).toContain(
    'volume shop_data: no stack created it',
  )
})

test('202: restores what the job of an earlier version keeps', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { sources: [loose] })
  const { volumes: _, ...job } = present(await here.ports.backupJobs.find(id))
  await here.ports.backupJobs.replace(job)
  for (const text of ['first', 'second']) {
    await givenVolume(here, 'loose', text)
    const { id: runId } = await runJob(here, id)
    forget(here, 'loose')
    expect((await restored(here, runId, {}, 'operator')).status, text).toBe(202)
  }
})
