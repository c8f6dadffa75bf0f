import { expect, test } from 'vitest'
import { memoryBackground } from '../../../adapters/testing/memory/background.ts'
import { memorySystemArchive } from '../../../adapters/testing/memory/system-archive.ts'
import { present } from '../../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld, givenJob } from '../../../local/harness/backups.ts'
import { call } from '../../../local/harness/call.ts'
import {
  installService,
  nextImageId,
  nextVersion,
  serviceLabels,
} from '../../../local/harness/installed-service.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import type { TestCaller } from '../../../local/harness/sign-in.ts'
import getRun from '../../backup-runs/get.ts'
import { conflict } from '../../core/errors.ts'
import { fromAuditRow } from '../../core/events/from-audit-row.ts'
import { pauseLease } from '../../core/leases/pause.ts'
import type { Permission } from '../../core/records/permissions.ts'
import { storeFormat, version } from '../../core/version.ts'
import cancel from '../../operations/cancel.ts'
import getOperation from '../../operations/get.ts'
import recover from '../../operations/recover-operations.ts'
import deploy from '../../stacks/deploy.ts'
import pause from '../pause/create.ts'
import check from './check.ts'
import create from './create.ts'
import get from './get.ts'

const chosen = { version: nextVersion, image_id: nextImageId }

async function installed() {
  const here = await backupWorld()
  Object.assign(here.ports, { systemArchive: memorySystemArchive(here.ports.clock) })
  return { ...here, container: await installService(here) }
}

const system = { sources: [{ kind: 'system' }], target: { kind: 'local', path: '' } }

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(512)
  throw new Error('the disk is full')
}

/** No archive of a service. */
async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1024)
}

const upgrade = ({ ports }: BackupWorld, body: object = {}, as: TestCaller = 'admin') =>
  call(create, {
    ports,
    as,
    route: 'POST /service/upgrade',
    body: { ...chosen, ...body },
  })
const state = async ({ ports }: BackupWorld) => (await call(get, { ports, as: 'admin' })).json
const operation = async ({ ports }: BackupWorld, id: string) =>
  (await call(getOperation, { ports, as: 'admin', path: { id } })).json
const deployed = ({ ports }: BackupWorld) =>
  call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: { force_recreate: true } })

/** Waits until the operation has this step. */
async function atStep(here: BackupWorld, id: string, step: string) {
  await expect.poll(async () => (await operation(here, id)).result?.step).toBe(step)
}

/** Ends the upgrade as its helper container does, and lets a new process look. */
async function ended(here: BackupWorld, id: string, change: object) {
  const { ports } = here
  ports.serviceUpgrades.change({ endedAt: ports.clock.now(), ...change })
  ports.clock.advance(1_000)
  await ports.background.settled()
  await recover.with(ports)()
  return operation(here, id)
}

/** Ends the process, and starts another one with the same store. */
async function restart({ ports }: BackupWorld) {
  ports.background.abort()
  await ports.background.settled()
  Object.assign(ports, { background: memoryBackground('process-2') })
}

test('202: backs up and verifies the service, and starts the helper in a pause', async () => {
  const here = await installed()
  const job = await givenJob(here, { name: 'service', ...system })
  const { status, json } = await upgrade(here)
  expect([status, json.kind, json.status]).toEqual([202, 'service_upgrade', 'running'])
  await atStep(here, json.id, 'replacing')
  const to = { image: `busybox:${nextVersion}`, imageId: nextImageId, version: nextVersion }
  expect(here.ports.serviceUpgrades.started).toEqual([
    { id: json.id, containerId: here.container, to },
  ])
  const { result } = await operation(here, json.id)
  expect(result).toMatchObject({ from_version: version, to_version: nextVersion })
  const path = { id: String(present(result).backup_run_id) }
  const run = (await call(getRun, { ports: here.ports, as: 'admin', path })).json
  expect([run.job_id, run.status, run.by]).toEqual([job, 'succeeded', 'admin'])
  expect(await state(here)).toMatchObject({
    pause: { operation_id: json.id },
    last: { outcome: 'open', ended_at: null, kept_until: null },
  })
  expect((await deployed(here)).status).toBe(409)

  const end = await ended(here, json.id, { outcome: 'upgraded' })
  expect(end).toMatchObject({ status: 'succeeded', error: null, result: { outcome: 'upgraded' } })
  const { place } = here.ports.ownProcess
  for (const id of ['helper', here.container])
    await here.ports.serviceProcesses.create({ ...place, id, container: id, machine: 'own' })
  const body = { version: nextVersion }
  const checked = await call(check, { ports: here.ports, as: 'admin', body })
  expect(checked.json.findings).toEqual([])
  const { last, pause: paused } = await state(here)
  expect([last?.to_version, last?.outcome, paused]).toEqual([nextVersion, 'upgraded', null])
  expect(Date.parse(last?.kept_until ?? '') - Date.parse(last?.ended_at ?? '')).toBe(86_400_000)
  expect((await deployed(here)).json.status).toBe('succeeded')
})

test('the next process goes on with the pause, and ends the operation once', async () => {
  const here = await installed()
  const { json } = await upgrade(here, { without_backup: true })
  await atStep(here, json.id, 'replacing')
  await restart(here)
  expect((await here.ports.leases.peek(pauseLease)).held).toBe(false)
  await recover.with(here.ports)()
  expect((await operation(here, json.id)).status).toBe('running')
  expect((await deployed(here)).json.error).toContain('paused for an upgrade')

  const reason = 'the new container was not healthy'
  const change = { outcome: 'taken_back', error: reason, log: ['no such file'] }
  expect(await ended(here, json.id, change)).toMatchObject({
    status: 'failed',
    error: `the version from before runs again: ${reason}`,
    result: { outcome: 'taken_back', log: ['no such file'] },
  })
  await recover.with(here.ports)()
  const { rows } = await here.ports.audit.list({ action: 'service.upgrade', limit: 9 })
  const ends = rows.filter(({ continues }) => continues !== undefined)
  expect(ends).toHaveLength(1)
  expect(present(ends[0])).toMatchObject({
    outcome: 'failed',
    username: 'admin',
    values: { from_version: version, to_version: nextVersion, outcome: 'taken_back' },
  })
  expect(fromAuditRow(present(ends[0]))).toMatchObject({
    kind: 'service.upgrade',
    details: {
      outcome: 'taken_back',
      from_version: version,
      error: expect.stringContaining(reason),
    },
  })
})

test.each([
  ['not_started', 'nothing was replaced: '],
  ['stuck', 'the upgrade could not be finished, nor taken back: '],
] as const)('an upgrade that is %s has failed', async (outcome, text) => {
  const here = await installed()
  const { json } = await upgrade(here, { without_backup: true })
  await atStep(here, json.id, 'replacing')
  const end = await ended(here, json.id, { outcome, error: 'why' })
  expect([end.status, end.error]).toEqual(['failed', `${text}why`])
})

test('an upgrade that never ends pauses the service for 15 minutes, whatever its clock says', async () => {
  const here = await installed()
  const { json } = await upgrade(here, { without_backup: true })
  await atStep(here, json.id, 'replacing')
  await restart(here)
  for (const jump of [-3_600_000, 7_200_000]) {
    here.ports.clock.jump(jump)
    expect((await deployed(here)).status).toBe(409)
  }
  here.ports.clock.advance(14 * 60_000)
  expect((await deployed(here)).status).toBe(409)
  here.ports.clock.advance(60_000)
  expect((await deployed(here)).json.status).toBe('succeeded')
})

test('a helper that does not start ends the operation', async () => {
  const here = await installed()
  here.ports.serviceUpgrades.refusal = conflict('the socket of the Engine is not mounted')
  const { json } = await upgrade(here, { without_backup: true })
  await here.ports.background.settled()
  expect(await operation(here, json.id)).toMatchObject({
    status: 'failed',
    error: 'the socket of the Engine is not mounted',
  })
  expect((await state(here)).pause).toBeNull()
})

test('waits for what runs, and can be called off until the container is replaced', async () => {
  const here = await installed()
  const held = present(await here.ports.leases.acquire('stack:shop', 'other/d1', 60_000))
  const first = (await upgrade(here, { without_backup: true })).json
  await atStep(here, first.id, 'waiting')
  await call(cancel, { ports: here.ports, as: 'admin', path: { id: first.id } })
  here.ports.clock.advance(1_000)
  await here.ports.background.settled()
  expect(await operation(here, first.id)).toMatchObject({
    status: 'interrupted',
    error: 'cancelled by admin',
  })
  const second = (await upgrade(here, { without_backup: true })).json
  expect(here.ports.serviceUpgrades.started).toEqual([])
  await here.ports.leases.release(held)
  here.ports.clock.advance(1_000)
  await atStep(here, second.id, 'replacing')
  const late = await call(cancel, { ports: here.ports, as: 'admin', path: { id: second.id } })
  expect([late.status, late.json.error]).toEqual([409, expect.stringContaining('being replaced')])
  await ended(here, second.id, { outcome: 'upgraded' })
})

test('gives up after ten minutes, and names what runs', async () => {
  const here = await installed()
  await here.ports.leases.acquire('stack:shop', 'other/d1', 60 * 60_000)
  const { json } = await upgrade(here, { without_backup: true })
  await atStep(here, json.id, 'waiting')
  here.ports.clock.advance(10 * 60_000)
  await here.ports.background.settled()
  const end = await operation(here, json.id)
  expect([end.status, end.error]).toEqual(['failed', expect.stringContaining('deployment of shop')])
  expect(here.ports.serviceUpgrades.started).toEqual([])
})

test.each([
  ['fails', failing],
  ['cannot be read again', unreadable],
])('replaces nothing if the backup %s', async (_how, read) => {
  const here = await installed()
  await givenJob(here, { name: 'service', ...system })
  const { ports } = here
  Object.assign(ports, { systemArchive: { ...ports.systemArchive, read } })
  const { json } = await upgrade(here)
  await ports.background.settled()
  const end = await operation(here, json.id)
  expect([end.status, end.error]).toEqual([
    'failed',
    expect.stringContaining('nothing was replaced'),
  ])
  expect(ports.serviceUpgrades.started).toEqual([])
})

test('409: the check does not allow it, and says the way', async () => {
  const here = await installed()
  const { imageLabels } = here.engine.state
  const later = { reads: storeFormat.writes + 5, writes: storeFormat.writes + 5 }
  imageLabels.set(nextImageId, serviceLabels(nextVersion, later))
  const oneWay = await upgrade(here, { without_backup: true })
  expect([oneWay.status, oneWay.json.error]).toEqual([
    409,
    expect.stringContaining('docs/install-container.md'),
  ])
  const { 'org.opencontainers.image.title': title } = serviceLabels(nextVersion)
  imageLabels.set(nextImageId, { 'org.opencontainers.image.title': title })
  const unknown = await upgrade(here, { without_backup: true })
  expect([unknown.status, unknown.json.error]).toEqual([
    409,
    expect.stringMatching(/formats of the store.*docs\/install-container\.md/),
  ])
  imageLabels.set(nextImageId, serviceLabels('0.0.1'))
  expect((await upgrade(here, { without_backup: true })).json.error).toContain('is older')
  const id = present(here.engine.state.images.get('busybox:latest'))
  const current = { version: undefined, image: 'busybox:latest', image_id: id }
  const same = await upgrade(here, { ...current, without_backup: true })
  expect([same.status, same.json.error]).toEqual([409, expect.stringContaining('runs already')])
})

test('409: the name has another image than the one that was checked', async () => {
  const here = await installed()
  const { status, json } = await upgrade(here, { image_id: 'sha256:bb22', without_backup: true })
  expect([status, json.error]).toEqual([
    409,
    expect.stringContaining(`is image ${nextImageId} now`),
  ])
})

test('409: no job backs up the service, or the named one does not', async () => {
  const here = await installed()
  const without = await upgrade(here)
  expect([without.status, without.json.error]).toEqual([409, expect.stringContaining('--system')])
  const backup_job = await givenJob(here)
  const other = await upgrade(here, { backup_job })
  expect([other.status, other.json.error]).toEqual([409, expect.stringContaining('`system`')])
})

test('409: the service runs in no container', async () => {
  const here = await backupWorld()
  const { status, json } = await upgrade(here, { without_backup: true })
  expect([status, json.error]).toEqual([409, expect.stringContaining('docs/upgrading.md')])
})

test('409: it is paused, or being upgraded', async () => {
  const here = await installed()
  await call(pause, { ports: here.ports, as: 'admin', body: { minutes: 1 } })
  expect((await upgrade(here, { without_backup: true })).json.error).toContain('paused already')
  here.ports.clock.advance(60_000)
  await here.ports.background.settled()
  const { json } = await upgrade(here, { without_backup: true })
  await atStep(here, json.id, 'replacing')
  const second = await upgrade(here, { without_backup: true })
  expect([second.status, second.json.error]).toEqual([409, expect.stringContaining('in progress')])
  await ended(here, json.id, { outcome: 'upgraded' })
})

test('404: the image is not on the host, or there is no such job', async () => {
  const here = await installed()
  const image = await upgrade(here, { version: '9.9.9', without_backup: true })
  expect([image.status, image.json.error]).toEqual([404, expect.stringContaining('busybox:9.9.9')])
  expect((await upgrade(here, { backup_job: 'none' })).status).toBe(404)
})

test('403: refuses an admin of some hosts, and a role that may not run the job', async () => {
  const here = await installed()
  await givenJob(here, { name: 'service', ...system })
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  expect((await upgrade(here, { without_backup: true }, as)).status).toBe(403)
  const lacking = async (held: Permission[], lacked: string) => {
    const refused = await upgrade(here, {}, await givenRole(here, held))
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining(lacked)])
  }
  await lacking(['service:upgrade'], 'stacks:privileged')
  await lacking(['service:upgrade', 'stacks:privileged'], 'backups:manage')
})

test('400: neither a job and no backup, nor two names, nor the id of no image', async () => {
  const here = await installed()
  for (const body of [
    { backup_job: 'one', without_backup: true },
    { image: 'busybox:latest' },
    { image_id: 'latest' },
  ])
    expect((await upgrade(here, body)).status).toBe(400)
})
