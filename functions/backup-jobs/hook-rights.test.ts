import { expect, test } from 'vitest'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  jobBody,
  runJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { internalError } from '../core/errors.ts'
import type { Permission } from '../core/records/permissions.ts'
import create from './create.ts'
import update from './update.ts'

/** What a caller without `stacks:privileged` needs for a job with hooks. */
const managing: Permission[] = [
  ...(['backups:read', 'backups:manage', 'stacks:read', 'stacks:secrets'] as const),
  'containers:exec',
]
const hooks = { before: { service: 'web', command: ['true'] } }
const refusal = expect.stringMatching(/pid: host: this requires the permission stacks:privileged$/)

/** Makes the container of a service one that controls its host, as another deploy could. */
function giveHost({ engine }: BackupWorld, hostConfig: object = { PidMode: 'host' }) {
  for (const one of engine.state.containers.values()) {
    if (one.name === 'shop-web-1') one.body.HostConfig = hostConfig
  }
}

const created = ({ ports }: BackupWorld, as: TestCaller, more: object = {}) =>
  call(create, { ports, as, body: { ...jobBody, hooks, ...more } })
const updated = ({ ports }: BackupWorld, as: TestCaller, id: string, body: object) =>
  call(update, { ports, as, path: { id }, body })

test('403: a hook in a container that controls its host; an admin may', async () => {
  const here = await backupWorld()
  const as = await givenRole(here, managing)
  expect((await created(here, as)).status).toBe(201)
  giveHost(here)
  const refused = await created(here, as, { name: 'second' })
  expect([refused.status, refused.json.error]).toEqual([403, refusal])
  expect((await created(here, 'admin', { name: 'third' })).status).toBe(201)
})

test('a run enters only what the account that saved the job might enter', async () => {
  const here = await backupWorld()
  const as = await givenRole(here, managing)
  const { id } = (await created(here, as)).json
  expect((await runJob(here, id)).status).toBe('succeeded')
  giveHost(here)
  expect((await runJob(here, id)).error).toMatch(/pid: host: this requires/)
  const byAdmin = await givenJob(here, { name: 'admins', hooks })
  expect((await runJob(here, byAdmin)).status).toBe('succeeded')
})

test('a job of an earlier version, without recorded rights, enters ordinary containers', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { hooks })
  const job = await here.ports.backupJobs.find(id)
  if (job) await here.ports.backupJobs.replace({ ...job, hookRights: undefined })
  expect((await runJob(here, id)).status).toBe('succeeded')
  giveHost(here)
  expect((await runJob(here, id)).error).toMatch(/pid: host: this requires/)
})

test('403: an update of an admin’s job by someone who may not enter its container', async () => {
  const here = await backupWorld()
  const as = await givenRole(here, managing)
  giveHost(here)
  const id = await givenJob(here, { hooks })
  const refused = await updated(here, as, id, { enabled: false })
  expect([refused.status, refused.json.error]).toEqual([403, refusal])
  expect((await updated(here, 'admin', id, { enabled: false })).status).toBe(200)
  expect((await runJob(here, id)).status).toBe('succeeded')
})

test('200: other fields change while the host is offline', async () => {
  const here = await backupWorld()
  const as = await givenRole(here, managing)
  const { id } = (await created(here, as)).json
  here.engine.offline = internalError('host local does not respond')
  const { status, json } = await updated(here, as, id, { enabled: false })
  expect([status, json]).toMatchObject([200, { enabled: false, hooks }])
})
