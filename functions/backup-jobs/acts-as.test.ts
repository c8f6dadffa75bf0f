import { expect, test } from 'vitest'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenVolume,
  jobBody,
  runJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { accountOf, type TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack } from '../../local/harness/world.ts'
import createToken from '../api-tokens/create.ts'
import { permissionFor } from '../core/events/service-event.ts'
import type { Account } from '../core/records/account.ts'
import removeStack from '../stacks/remove.ts'
import create from './create.ts'
import get from './get.ts'
import review from './review.ts'
import run from './run.ts'
import startDueBackups from './start-due-backups.ts'
import update from './update.ts'

const hour = 3_600_000
const olga = { username: 'olga', role: 'operator' }
const hooks = { before: { service: 'web', command: ['true'] }, after: null }

/** A world with a job that runs every hour, saved by an operator unless told otherwise. */
async function saved(more: object = {}, as: TestCaller = olga) {
  const here = await backupWorld()
  const body = { ...jobBody, schedule: '0 * * * *', ...more }
  const made = await call(create, { ports: here.ports, as, body })
  if (made.status !== 201) throw new Error(made.text)
  return { here, id: made.json.id as string }
}

async function change({ ports }: BackupWorld, username: string, to: Partial<Account>) {
  await ports.accounts.replace({ ...(await accountOf(ports, { username })), ...to })
}

const remove = async ({ ports }: BackupWorld, username: string) =>
  ports.accounts.remove((await accountOf(ports, { username })).id)

/** Runs what is due an hour later. Returns the runs, oldest first. */
async function anHourLater({ ports }: BackupWorld) {
  ports.clock.advance(hour)
  await startDueBackups.with(ports)()
  await ports.background.settled()
  return (await ports.backupRuns.list({ limit: 100 })).reverse()
}

const reviewed = ({ ports }: BackupWorld) => review.with(ports)()

/** Returns whose job it is and why it is blocked, as another admin sees it. */
async function account({ ports }: BackupWorld, id: string) {
  const as = { username: 'another-admin', role: 'admin' }
  const { json } = await call(get, { ports, as, path: { id } })
  return [json.acts_as.username, json.acts_as.blocked]
}

const saves = ({ ports }: BackupWorld, as: TestCaller, id: string, body: object) =>
  call(update, { ports, as, path: { id }, body })
const { sources } = jobBody
const takesOver = (here: BackupWorld, as: TestCaller, id: string) =>
  saves(here, as, id, { sources })
const runs = ({ ports }: BackupWorld, as: TestCaller, id: string) =>
  call(run, { ports, as, path: { id } })

/** Returns the audit rows about a job that the service wrote. */
async function rows({ ports }: BackupWorld) {
  const { rows: all } = await ports.audit.list({ action: 'backup-jobs', limit: 100 })
  return all
    .filter(({ actor }) => actor === 'service')
    .map(({ action, values }) => [action, values])
}

const stored = ({ ports }: BackupWorld) => [...ports.backupTargets.objects.keys()]

test('a job acts as the account that created it', async () => {
  const { here, id } = await saved({ hooks, stop_services: true })
  expect(await account(here, id)).toEqual(['olga', null])
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded', by: 'schedule' }])
})

const lost: [string, (here: BackupWorld) => Promise<unknown>][] = [
  ['account olga was deleted', (here) => remove(here, 'olga')],
  ['account olga is disabled', (here) => change(here, 'olga', { disabled: true })],
  [
    'account olga does not have the permission backups:manage, which it needs for backup jobs',
    (here) => change(here, 'olga', { role: 'viewer' }),
  ],
  [
    'host Cellar is outside the scope of account olga',
    (here) => change(here, 'olga', { scopeTags: ['lab'] }),
  ],
]

test.each(lost)('nothing runs and nothing is sent: %s', async (reason, lose) => {
  const { here, id } = await saved({ hooks })
  await lose(here)
  here.engine.exec = async () => {
    throw new Error('a hook ran')
  }
  expect(await anHourLater(here)).toEqual([])
  expect(stored(here)).toEqual([])
  expect(await account(here, id)).toEqual(['olga', reason])
  const job = present(await here.ports.backupJobs.find(id))
  expect(job.nextRunAt).toBe(here.ports.clock.now() + hour)
  expect(await anHourLater(here)).toEqual([])
  expect(await rows(here)).toEqual([['backup-jobs.block', { reason }]])
})

test('an account that gets the name of a deleted one later is another one', async () => {
  const { here, id } = await saved()
  await remove(here, 'olga')
  await accountOf(here.ports, olga)
  expect(await anHourLater(here)).toEqual([])
  expect(await account(here, id)).toEqual(['olga', 'account olga was deleted'])
})

test.each([
  ['hooks', { hooks }, 'containers:exec'],
  ['stop_services', { stop_services: true }, 'containers:operate'],
  ['sources: stack', {}, 'stacks:secrets'],
] as const)('a role that lost what %s needs blocks its jobs', async (part, more, permission) => {
  const here = await backupWorld()
  const as = await givenRole(here, [
    ...(['backups:manage', 'stacks:read', 'stacks:secrets'] as const),
    ...(['containers:exec', 'containers:operate'] as const),
  ])
  const body = { ...jobBody, schedule: '0 * * * *', ...more }
  const { id } = (await call(create, { ports: here.ports, as, body })).json
  const role = present(await here.ports.roles.find(as.role))
  const permissions = role.permissions.filter((one) => one !== permission)
  await here.ports.roles.replace({ ...role, permissions })
  expect(await anHourLater(here)).toEqual([])
  expect((await account(here, id))[1]).toBe(
    `account ${as.username} does not have the permission ${permission}, which it needs for ${part}`,
  )
})

test('a job of the service’s own state needs an admin of every host at each run', async () => {
  const { here, id } = await saved({ sources: [{ kind: 'system' }] }, 'admin')
  const local = present(await here.ports.hosts.find('local'))
  await here.ports.hosts.replace({ ...local, tags: ['lab'] })
  await change(here, 'admin', { scopeTags: ['lab'] })
  expect(await anHourLater(here)).toEqual([])
  expect((await account(here, id))[1]).toContain('settings:manage on every host')
})

test('a volume that the account may no longer back up blocks the job', async () => {
  const { here, id } = await saved({ sources: [{ kind: 'volume', name: 'loose' }] }, 'admin')
  await change(here, 'admin', { role: 'operator' })
  expect(await anHourLater(here)).toEqual([])
  expect((await account(here, id))[1]).toMatch(
    /^account admin may no longer do this: volume loose: no stack created it/,
  )
})

test('people learn of it before the next run, and a right that is back unblocks it', async () => {
  const { here, id } = await saved()
  await change(here, 'olga', { role: 'viewer' })
  await Promise.all([reviewed(here), reviewed(here)])
  expect((await account(here, id))[1]).toContain('backups:manage')
  await change(here, 'olga', { role: 'operator', username: 'olga2' })
  await reviewed(here)
  expect(await account(here, id)).toEqual(['olga2', null])
  expect((await rows(here)).map(([action]) => action)).toEqual([
    'backup-jobs.unblock',
    'backup-jobs.block',
  ])
  expect(permissionFor('backup-job.block')).toBe('backups:read')
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded' }])
})

test('a store that does not answer blocks nothing', async () => {
  const { here, id } = await saved()
  const { find } = here.ports.accounts
  here.ports.accounts.find = async () => {
    throw new Error('the store does not respond')
  }
  await reviewed(here)
  here.ports.accounts.find = find
  expect(await account(here, id)).toEqual(['olga', null])
})

test('409: a blocked job does not run for others either; one who takes it over runs it', async () => {
  const { here, id } = await saved({ hooks })
  await remove(here, 'olga')
  const refused = await runs(here, 'admin', id)
  expect([refused.status, refused.headers['x-error-reason'], refused.json.error]).toEqual([
    409,
    'blocked',
    'backup job nightly is blocked: account olga was deleted; to take it over, save what it does',
  ])
  await reviewed(here)
  const taken = await takesOver(here, 'admin', id)
  expect([taken.status, taken.json.acts_as]).toMatchObject([
    200,
    { username: 'admin', blocked: null },
  ])
  expect(await runJob(here, id, 'admin')).toMatchObject({ status: 'succeeded' })
})

test('200: what says when a job runs does not take it over', async () => {
  const { here, id } = await saved()
  const when = { enabled: false, schedule: '0 5 * * *', name: 'daily', retention: { keep_last: 1 } }
  expect((await saves(here, 'admin', id, when)).status).toBe(200)
  expect(await account(here, id)).toEqual(['olga', null])
  await remove(here, 'olga')
  await reviewed(here)
  expect((await saves(here, 'admin', id, { enabled: true })).json.acts_as).toMatchObject({
    username: 'olga',
    blocked: 'account olga was deleted',
  })
})

test.each([
  ['target', { target: { kind: 'local', path: 'other' } }],
  ['encrypt', { encrypt: true }],
  ['hooks', { hooks }],
  ['stop_services', { stop_services: true }],
  ['host', { host: 'local' }],
])('200: saving %s takes the job over', async (_, body) => {
  const { here, id } = await saved()
  expect((await saves(here, 'admin', id, body)).json.acts_as.username).toBe('admin')
})

test('403: one who may not do all of it does not take it over', async () => {
  const { here, id } = await saved({ sources: [{ kind: 'volume', name: 'loose' }] }, 'admin')
  await change(here, 'admin', { disabled: true })
  expect((await takesOver(here, olga, id)).status).toBe(403)
  expect((await saves(here, olga, id, { encrypt: true })).status).toBe(403)
})

test('403: running a job needs the right to enter the containers of its hooks', async () => {
  const { here, id } = await saved({ hooks }, 'admin')
  for (const one of here.engine.state.containers.values()) {
    if (one.name === 'shop-web-1') one.body.HostConfig = { PidMode: 'host' }
  }
  const refused = await runs(here, olga, id)
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('pid: host')])
})

test('a hook enters no more than its account may now', async () => {
  const { here, id } = await saved({ hooks }, 'admin')
  for (const one of here.engine.state.containers.values()) {
    if (one.name === 'shop-web-1') one.body.HostConfig = { PidMode: 'host' }
  }
  await change(here, 'admin', { role: 'operator' })
  const [ended] = await anHourLater(here)
  expect(ended).toMatchObject({ status: 'failed', error: expect.stringContaining('pid: host') })
  expect(id).toBe(ended?.jobId)
})

/** Deletes the stack `shop` with its volume and creates another one of that name. */
async function recreateShop(here: BackupWorld) {
  const { ports } = here
  const path = { name: 'shop' }
  await call(removeStack, { ports, as: 'admin', path, query: { volumes: true } })
  ports.clock.advance(1000)
  await givenStack(here)
}

const again = 'stack shop was deleted and created again'

test('a new stack of the same name is not backed up until someone saves the job', async () => {
  const { here, id } = await saved()
  await recreateShop(here)
  expect(await anHourLater(here)).toEqual([])
  expect(await account(here, id)).toEqual(['olga', again])
  expect(stored(here)).toEqual([])
  expect((await runs(here, olga, id)).status).toBe(409)
  expect((await takesOver(here, olga, id)).json.acts_as.blocked).toBeNull()
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded' }])
})

test.each([
  ['a hook in it', { hooks: { before: { service: 'shop/web', command: ['true'] } } }],
  ['a service of it to stop', { stop_services: ['shop/web'] }],
  ['a volume of it', { sources: [{ kind: 'volume', name: 'shop_data' }] }],
])('a new stack of the same name blocks a job with %s', async (_, more) => {
  const here = await backupWorld()
  await givenStack(here, 'blog')
  const body = { ...jobBody, sources: [{ kind: 'stack', name: 'blog' }], ...more }
  const { id } = (await call(create, { ports: here.ports, as: olga, body })).json
  await recreateShop(here)
  await givenVolume(here, 'shop_data', 'of another')
  await reviewed(here)
  expect((await account(here, id))[1]).toBe(again)
})

test('a stack that is deleted fails the run, as before, and blocks nothing', async () => {
  const { here, id } = await saved()
  await call(removeStack, { ports: here.ports, as: 'admin', path: { name: 'shop' } })
  expect(await anHourLater(here)).toMatchObject([
    { status: 'failed', error: 'stack shop: there is no such stack' },
  ])
  expect(await account(here, id)).toEqual(['olga', null])
})

test('a run that began ends with the rights of its account, and undoes what it stored', async () => {
  const { here, id } = await saved()
  const { readArchive } = here.engine
  const read: unknown[] = []
  here.engine.readArchive = async function* (...given) {
    read.push(given[0])
    await change(here, 'olga', { role: 'viewer' })
    yield* readArchive(...given)
  }
  expect(await anHourLater(here)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('is blocked: account olga'), contents: [] },
  ])
  expect(read).toHaveLength(1)
  expect(stored(here)).toEqual([])
  await reviewed(here)
  expect((await account(here, id))[1]).toContain('backups:manage')
})

test('the hook after a run that was blocked meanwhile still runs', async () => {
  const after = { service: 'db', command: ['sh', '-c', 'echo unlock'] }
  const { here } = await saved({ hooks: { before: null, after } })
  const { readArchive, exec } = here.engine
  here.engine.readArchive = async function* (...given) {
    await remove(here, 'olga')
    yield* readArchive(...given)
  }
  const ran: unknown[] = []
  here.engine.exec = (id, options, signal) => {
    ran.push(options.command)
    return exec(id, options, signal)
  }
  expect(await anHourLater(here)).toMatchObject([{ status: 'failed' }])
  expect(ran).toEqual([after.command])
})

test('a job that CI saved with a token acts as its account, without the rights it gains', async () => {
  const here = await backupWorld()
  const { ports } = here
  const made = await call(createToken, { ports, as: olga, body: { name: 'ci' } })
  const as = { token: made.json.token as string }
  const body = { ...jobBody, schedule: '0 * * * *', hooks }
  const { id } = (await call(create, { ports, as, body })).json
  expect(await account(here, id)).toEqual(['olga', null])
  for (const token of await ports.apiTokens.list()) await ports.apiTokens.remove(token.id)
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded' }])
  await change(here, 'olga', { role: 'admin' })
  for (const one of here.engine.state.containers.values()) {
    if (one.name === 'shop-web-1') one.body.HostConfig = { PidMode: 'host' }
  }
  const [, second] = await anHourLater(here)
  expect(second).toMatchObject({ status: 'failed', error: expect.stringContaining('pid: host') })
})

/** Makes a job look as one of a version that kept no account. */
async function madeEarlier({ ports }: BackupWorld, id: string) {
  const { actsAs: _, ...job } = present(await ports.backupJobs.find(id))
  await ports.backupJobs.replace(job)
}

/** Returns a job of an earlier version, with the audit rows of its creation and of a change. */
async function audited() {
  const here = await backupWorld()
  const { ports } = here
  const body = { ...jobBody, schedule: '0 * * * *' }
  const made = await call(create, { ports, as: olga, body, route: 'POST /backup-jobs' })
  const id = made.json.id as string
  const route = 'PUT /backup-jobs/{id}'
  await call(update, { ports, as: 'admin', path: { id }, body: { enabled: true }, route })
  await madeEarlier(here, id)
  return { here, id }
}

test('a job of an earlier version acts as the account that last saved what it does', async () => {
  const { here, id } = await audited()
  expect(await account(here, id)).toEqual([null, null])
  await reviewed(here)
  expect(await account(here, id)).toEqual(['olga', null])
  const binding = ['backup-jobs.bind', { author: 'olga' }]
  expect(await rows(here)).toEqual([binding])
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded' }])
  await madeEarlier(here, id)
  const { ports } = here
  const body = { target: { kind: 'local', path: 'other' } }
  const route = 'PUT /backup-jobs/{id}'
  await call(update, { ports, as: 'admin', path: { id }, body, route })
  await madeEarlier(here, id)
  await reviewed(here)
  expect(await account(here, id)).toEqual(['admin', null])
})

test('a job of an earlier version whose author was deleted does not run once more', async () => {
  const { here, id } = await audited()
  await remove(here, 'olga')
  expect(await anHourLater(here)).toEqual([])
  expect(await account(here, id)).toEqual(['olga', 'account olga was deleted'])
})

test('a job of an unknown author goes on as before until someone saves it', async () => {
  const { here, id } = await saved({ hooks })
  await madeEarlier(here, id)
  const peer = { ...here.ports, background: memoryBackground('process-2') }
  await Promise.all([reviewed(here), review.with(peer)()])
  await reviewed(here)
  expect(await rows(here)).toEqual([
    ['backup-jobs.bind', { author: 'unknown, so it acts as the service' }],
  ])
  await remove(here, 'olga')
  expect(await account(here, id)).toEqual([null, null])
  expect(await anHourLater(here)).toMatchObject([{ status: 'succeeded' }])
  await takesOver(here, 'admin', id)
  expect(await account(here, id)).toEqual(['admin', null])
})

test('a job of an unknown author does not follow the name of its stack', async () => {
  const { here, id } = await saved()
  await madeEarlier(here, id)
  await reviewed(here)
  await recreateShop(here)
  expect(await anHourLater(here)).toEqual([])
  expect(await account(here, id)).toEqual([null, again])
})
