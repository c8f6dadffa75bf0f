import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { backupWorld, givenJob, jobBody } from '../../../local/harness/backups.ts'
import { call } from '../../../local/harness/call.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import { accountOf, type TestCaller } from '../../../local/harness/sign-in.ts'
import { givenHost, givenStack, type World, world } from '../../../local/harness/world.ts'
import createToken from '../../api-tokens/create.ts'
import removeJob from '../../backup-jobs/remove.ts'
import updateJob from '../../backup-jobs/update.ts'
import { noInstallation } from '../../core/owners/installation.ts'
import type { Account } from '../../core/records/account.ts'
import type { Permission } from '../../core/records/permissions.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import { judgePolicy } from '../../core/updates/judge-policy.ts'
import { readPolicies } from '../../core/updates/policy-of.ts'
import removeStack from '../remove.ts'
import get from './get.ts'
import remove from './remove.ts'
import update from './update.ts'

const olga = { username: 'olga', role: 'operator' }
const path = { name: 'shop' }
const initial = {
  mode: 'notify',
  window: null,
  minimum_age_hours: 72,
  except: [],
  checkpoint: null,
  watch_minutes: null,
  after: [],
  source: 'none',
  tag: null,
  acts_as: null,
  blocked: null,
}
const nightly = { schedule: '0 3 * * *', timezone: 'Europe/Berlin', duration_minutes: 120 }

async function given() {
  const here = world()
  await givenStack(here)
  return here
}

const shown = async ({ ports }: World) =>
  (await call(get, { ports, as: { username: 'vera', role: 'viewer' }, path })).json
const saves = ({ ports }: World, body: object, as: TestCaller = olga, headers = {}) =>
  call(update, { ports, as, path, body, headers })
const stackOf = async ({ ports }: World) => present(await ports.stacks.find('shop'))

/** Whether updates of the stack may run. */
async function judgedOf(here: World) {
  const stack = await stackOf(here)
  return judgePolicy(stack, (await readPolicies(here.ports))(stack), here.ports)
}

async function change({ ports }: World, username: string, to: Partial<Account>) {
  await ports.accounts.replace({ ...(await accountOf(ports, { username })), ...to })
}

/** Makes another request change the stack right before the next change is written. */
function beforeFirstWrite(here: World, to: Partial<StackRecord>) {
  const { replace } = here.ports.stacks
  let isFirst = true
  here.ports.stacks.replace = async (value) => {
    if (isFirst) await replace({ ...(await stackOf(here)), ...to })
    isFirst = false
    return replace(value)
  }
}

test('200: a stack without a policy has the default', async () => {
  expect(await shown(await given())).toEqual(initial)
})

test('200 and 204: replaces the policy whole, and resets it', async () => {
  const here = await given()
  await givenStack(here, 'base')
  const whole = {
    mode: 'apply',
    window: nightly,
    minimum_age_hours: 5,
    except: ['db', 'none'],
    watch_minutes: 10,
    after: ['base'],
  }
  const saved = await saves(here, { ...whole, except: ['db', 'none', 'db'] })
  const kept = {
    checkpoint: null,
    source: 'stack',
    tag: null,
    acts_as: 'olga',
    blocked: null,
  }
  const expected = { ...whole, ...kept }
  expect([saved.status, saved.json]).toEqual([200, expected])
  expect(await shown(here)).toEqual(expected)
  await saves(here, { mode: 'off' })
  expect(await shown(here)).toEqual({ ...initial, mode: 'off', source: 'stack' })
  const reset = () => call(remove, { ports: here.ports, as: olga, path })
  expect([(await reset()).status, (await reset()).status]).toEqual([204, 204])
  expect(await shown(here)).toEqual(initial)
})

test.each([
  [{}, 'mode'],
  [{ mode: 'on' }, 'mode'],
  [{ mode: 'apply', window: { ...nightly, schedule: '61 3 * * *' } }, 'window.schedule'],
  [{ mode: 'apply', window: { ...nightly, schedule: '0 0 30 2 *' } }, 'window.schedule'],
  [{ mode: 'apply', window: { ...nightly, timezone: 'Berlin' } }, 'window.timezone'],
  [{ mode: 'apply', window: { ...nightly, duration_minutes: 1 } }, 'window.duration_minutes'],
  [{ mode: 'apply', minimum_age_hours: -1 }, 'minimum_age_hours'],
  [{ mode: 'apply', except: 'db' }, 'except'],
  [{ mode: 'apply', watch_minutes: 0 }, 'watch_minutes'],
  [{ mode: 'apply', watch_minutes: 61 }, 'watch_minutes'],
  [{ mode: 'apply', after: ['No'] }, 'after'],
  [{ mode: 'apply', watch: 5 }, 'watch'],
])('400: %j', async (body, field) => {
  const here = await given()
  const { status, json } = await saves(here, body)
  expect([status, json.error]).toEqual([400, expect.stringContaining(field)])
  expect(await shown(here)).toEqual(initial)
})

test('200: the same schedule with other blanks is saved in one form', async () => {
  const here = await given()
  await saves(here, { mode: 'notify', window: { ...nightly, schedule: ' 0  3 * *\t* ' } })
  expect((await shown(here)).window).toEqual(nightly)
})

test('403 and 404: who may not deploy the stack, or has no such stack', async () => {
  const here = await given()
  const { ports } = here
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags: ['cellar'] })
  const elsewhere = { username: 'eve', role: 'operator', scopeTags: ['lab'] }
  for (const as of ['viewer', elsewhere] as const) {
    expect((await saves(here, { mode: 'apply' }, as)).status).toBe(403)
    expect((await call(remove, { ports, as, path })).status).toBe(403)
  }
  expect((await call(get, { ports, as: elsewhere, path })).status).toBe(403)
  const none = { ports, as: olga, path: { name: 'none' } }
  expect((await call(update, { ...none, body: { mode: 'apply' } })).status).toBe(404)
  expect((await call(remove, none)).status).toBe(404)
  expect((await call(get, none)).status).toBe(404)
})

test('200: a role that may only deploy is enough, as long as it may', async () => {
  const here = await given()
  const as = await givenRole(here, ['stacks:read', 'stacks:deploy'])
  expect((await saves(here, { mode: 'apply' }, as)).json.acts_as).toBe(as.username)
  const role = present(await here.ports.roles.find(as.role))
  await here.ports.roles.replace({ ...role, permissions: ['stacks:read'] })
  expect((await shown(here)).blocked).toBe(
    `account ${as.username} does not have the permission stacks:deploy, which it needs for updates`,
  )
})

test('200: with a token, updates act as its account, also after the token has ended', async () => {
  const here = await given()
  const { ports } = here
  const made = await call(createToken, { ports, as: olga, body: { name: 'ci' } })
  const saved = await saves(here, { mode: 'apply' }, { token: made.json.token })
  expect(saved.json).toMatchObject({ acts_as: 'olga', blocked: null })
  for (const { id } of await ports.apiTokens.list()) await ports.apiTokens.remove(id)
  expect((await shown(here)).blocked).toBe(null)
})

const lost: [string, (here: World) => Promise<unknown>][] = [
  ['account olga is disabled', (here) => change(here, 'olga', { disabled: true })],
  [
    'account olga was deleted',
    async ({ ports }) => ports.accounts.remove((await accountOf(ports, olga)).id),
  ],
  [
    'host Cellar is outside the scope of account olga',
    (here) => change(here, 'olga', { scopeTags: ['lab'] }),
  ],
]

test.each(lost)('no update may run: %s', async (reason, lose) => {
  const here = await given()
  await saves(here, { mode: 'apply' })
  await lose(here)
  expect(await shown(here)).toMatchObject({ acts_as: 'olga', blocked: reason })
  expect(await judgedOf(here)).toEqual({ kind: 'blocked', reason })
  const takenOver = await saves(here, { mode: 'apply' }, 'admin')
  expect(takenOver.json).toMatchObject({ acts_as: 'admin', blocked: null })
  expect(await judgedOf(here)).toMatchObject({ kind: 'account' })
})

test('only a policy that applies names an account, and is blocked', async () => {
  const here = await given()
  await saves(here, { mode: 'apply' })
  await saves(here, { mode: 'notify' }, 'admin')
  expect(await shown(here)).toMatchObject({ acts_as: null, blocked: null })
  expect(await judgedOf(here)).toMatchObject({ kind: 'blocked' })
})

test('a policy that names no account applies nothing', async () => {
  const here = await given()
  await saves(here, { mode: 'apply' })
  const { updatePolicy, ...stack } = await stackOf(here)
  const { actsAs: _, ...policy } = present(updatePolicy)
  await here.ports.stacks.replace({ ...stack, updatePolicy: policy })
  const reason = 'the update policy has no account: save it again'
  expect(await shown(here)).toMatchObject({ acts_as: null, blocked: reason })
})

test('a stack that is created again has no policy, and that of another stack does not hold', async () => {
  const here = await given()
  await saves(here, { mode: 'apply' })
  const { updatePolicy } = await stackOf(here)
  await call(removeStack, { ports: here.ports, as: 'admin', path })
  here.ports.clock.advance(1000)
  await givenStack(here)
  expect(await shown(here)).toEqual(initial)
  await here.ports.stacks.replace({ ...(await stackOf(here)), updatePolicy })
  expect((await shown(here)).blocked).toBe('stack shop was deleted and created again')
})

test('200: a policy keeps its time when it changes, and one that is set again has another', async () => {
  const here = await given()
  const timeOf = async () => (await stackOf(here)).updatePolicy?.createdAt
  const begin = here.ports.clock.now()
  await saves(here, { mode: 'apply' })
  here.ports.clock.advance(1000)
  await saves(here, { mode: 'off' })
  expect(await timeOf()).toBe(begin)
  await call(remove, { ports: here.ports, as: olga, path })
  await saves(here, { mode: 'off' })
  expect(await timeOf()).toBe(begin + 1000)
})

test('409: a stack that is created again while its policy is saved keeps its own', async () => {
  const here = await given()
  beforeFirstWrite(here, { createdAt: (await stackOf(here)).createdAt + 1 })
  const { status, json } = await saves(here, { mode: 'apply' })
  expect([status, json.error]).toEqual([409, expect.stringContaining('created again')])
  expect(await shown(here)).toEqual(initial)
})

test('200: of two policies at once, one is kept whole; If-Match lets only one through', async () => {
  const here = await given()
  const bodies = [
    { mode: 'apply', except: ['db'], minimum_age_hours: 1 },
    { mode: 'off', except: ['web'], minimum_age_hours: 2 },
  ]
  const both = await Promise.all(bodies.map((body) => saves(here, body)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both.map(({ json }) => json)).toContainEqual(await shown(here))
  const { headers } = await call(get, { ports: here.ports, as: olga, path })
  const match = { 'If-Match': present(headers.etag) }
  const guarded = await Promise.all(bodies.map((body) => saves(here, body, olga, match)))
  expect(guarded.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('200: a policy that is blocked meanwhile has the same version', async () => {
  const here = await given()
  const { headers } = await saves(here, { mode: 'apply' })
  const { updatePolicy, ...stack } = await stackOf(here)
  const { actsAs, ...terms } = present(updatePolicy)
  const blocked = { ...terms, actsAs: { ...present(actsAs), blocked: 'account olga is disabled' } }
  await here.ports.stacks.replace({ ...stack, updatePolicy: blocked })
  const match = { 'If-Match': present(headers.etag) }
  expect((await saves(here, { mode: 'apply' }, olga, match)).status).toBe(200)
})

test('200: a policy and a deployment that write the record at once are both kept', async () => {
  const here = await given()
  beforeFirstWrite(here, { environment: 'prod' })
  expect((await saves(here, { mode: 'apply' })).status).toBe(200)
  expect(await stackOf(here)).toMatchObject({
    environment: 'prod',
    updatePolicy: { mode: 'apply' },
  })
})

test('409: the service applies no updates to the stack that it runs in', async () => {
  const here = await given()
  here.engine.own = { ...noInstallation, projects: new Set(['shop']) }
  const { status, headers, json } = await saves(here, { mode: 'apply' }, 'admin')
  expect([status, headers['x-error-reason']]).toEqual([409, 'own-installation'])
  expect(json.error).toContain('stack shop: it is a part of this service; it cannot update itself')
  expect((await saves(here, { mode: 'notify' }, 'admin')).status).toBe(200)
})

test('422: an order that names no other stack of the host, or goes in a circle', async () => {
  const here = await given()
  const { ports } = here
  for (const name of ['base', 'blog']) await givenStack(here, name)
  await givenHost(here, 'far')
  const far = present(await ports.stacks.find('blog'))
  await ports.stacks.replace({ ...far, hostId: 'far' })
  const saves = (name: string, after: string[]) =>
    call(update, { ports, as: olga, path: { name }, body: { mode: 'apply', after } })
  const refused = async (name: string, after: string[]) => {
    const { status, json } = await saves(name, after)
    expect(status).toBe(422)
    return json.error
  }
  expect(await refused('shop', ['none'])).toContain('no stack none on the host of shop')
  expect(await refused('shop', ['blog'])).toContain('no stack blog on the host of shop')
  expect(await refused('shop', ['shop'])).toContain('shop is the stack itself')
  expect((await saves('shop', ['base'])).status).toBe(200)
  expect(await refused('base', ['shop'])).toContain('base after shop after base')
})

test('200: an order may keep the name of a stack that was deleted since', async () => {
  const here = await given()
  await givenStack(here, 'base')
  await saves(here, { mode: 'apply', after: ['base'] })
  await call(removeStack, { ports: here.ports, as: 'admin', path: { name: 'base' } })
  expect((await saves(here, { mode: 'apply', after: ['base'] }, 'admin')).status).toBe(200)
})

test('200: an adopted stack, and one on a host that does not respond', async () => {
  const here = await given()
  const { off } = await givenHost(here, 'far')
  const { policyWarning: _, ...shop } = await stackOf(here)
  await here.ports.stacks.replace({ ...shop, adopted: true, hostId: 'far' })
  off()
  expect((await saves(here, { mode: 'apply' })).json).toMatchObject({ blocked: null })
})

const mayCheckpoint: Permission[] = [
  'backups:manage',
  'stacks:read',
  'stacks:create',
  'stacks:update',
  'stacks:deploy',
  'stacks:secrets',
]

test('200: a checkpoint is a backup job that has the stack as a source', async () => {
  const here = await backupWorld()
  const checkpoint = await givenJob(here)
  const saved = await saves(here, { mode: 'apply', checkpoint })
  expect([saved.status, saved.json]).toMatchObject([200, { checkpoint, blocked: null }])
  expect(await shown(here)).toMatchObject({ checkpoint })
  await saves(here, { mode: 'apply' })
  expect(await shown(here)).toMatchObject({ checkpoint: null })
})

test.each([
  ['no longer has the stack', { sources: [{ kind: 'volume', name: 'loose' }] }],
  ['is deleted', undefined],
])('200: updates are blocked while the job of the checkpoint %s', async (_, body) => {
  const here = await backupWorld()
  const { ports } = here
  const checkpoint = await givenJob(here)
  await saves(here, { mode: 'apply', checkpoint })
  const change = { ports, as: 'admin' as const, path: { id: checkpoint } }
  if (body) await call(updateJob, { ...change, body: { ...jobBody, ...body } })
  else await call(removeJob, change)
  expect((await shown(here)).blocked).toMatch(/set another/)
})

test('200: updates are blocked while the job of the checkpoint is', async () => {
  const here = await backupWorld()
  const checkpoint = await givenJob(here)
  await saves(here, { mode: 'apply', checkpoint })
  await change(here, 'admin', { disabled: true })
  expect((await shown(here)).blocked).toBe(
    'backup job nightly is blocked: account admin is disabled',
  )
})

test('403: a checkpoint needs the rights to run its job and to restore the stack', async () => {
  const here = await backupWorld()
  const checkpoint = await givenJob(here)
  const body = { mode: 'apply', checkpoint }
  for (const lacking of mayCheckpoint) {
    const as = await givenRole(
      here,
      mayCheckpoint.filter((one) => one !== lacking),
    )
    expect((await saves(here, body, as)).status).toBe(403)
  }
  const as = await givenRole(here, mayCheckpoint)
  expect((await saves(here, body, as)).json).toMatchObject({ checkpoint, blocked: null })
  const role = present(await here.ports.roles.find(as.role))
  const permissions = role.permissions.filter((one) => one !== 'backups:manage')
  await here.ports.roles.replace({ ...role, permissions })
  expect((await shown(here)).blocked).toMatch(/backups:manage, which it needs for the checkpoint/)
})

test('404 and 422: a checkpoint that is no job, or one of other things', async () => {
  const here = await backupWorld()
  const saving = (checkpoint: string) => saves(here, { mode: 'apply', checkpoint })
  expect((await saving('none')).status).toBe(404)
  const sources = [{ kind: 'volume', name: 'loose' }]
  const { status, json } = await saving(await givenJob(here, { sources }))
  expect([status, json.error]).toEqual([422, expect.stringContaining('does not back up')])
  expect(await shown(here)).toEqual(initial)
})
