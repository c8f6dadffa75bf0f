import { expect, test, vi } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { changedShop, givenFollowed, olga, path } from '../../../local/harness/followed-source.ts'
import { limitedToken } from '../../../local/harness/limited-token.ts'
import { accountOf, type TestCaller } from '../../../local/harness/sign-in.ts'
import { editor, givenEditor } from '../../../local/harness/stack-files.ts'
import { givenHost, givenStack, shop } from '../../../local/harness/world.ts'
import { observer } from '../../core/alerts/observe.ts'
import { conflict } from '../../core/errors.ts'
import { SourceFailure } from '../../core/ports/source-reader.ts'
import { whyNotFollowing } from '../../core/records/stack-source.ts'
import { syncStacks } from '../../core/sources/sync-stacks.ts'
import { tryStackLease } from '../../core/stacks/stack-lease.ts'
import createSource from '../../sources/create.ts'
import look from '../../sources/look.ts'
import removeSource from '../../sources/remove.ts'
import updateSource from '../../sources/update.ts'
import deployStack from '../deploy.ts'
import listDeployments from '../deployments/list.ts'
import readFile from '../file/get.ts'
import deleteFile from '../file/remove.ts'
import writeFile from '../file/update.ts'
import getStack from '../get.ts'
import rollback from '../rollback.ts'
import stop from '../stop.ts'
import updateStack from '../update.ts'
import get from './get.ts'
import remove from './remove.ts'
import sync from './sync.ts'
import bySchedule from './sync-by-schedule.ts'
import update from './update.ts'

type Given = Awaited<ReturnType<typeof givenFollowed>>

const shown = async ({ ports }: Given) => (await call(get, { ports, as: 'viewer', path })).json
const stackOf = async ({ ports }: Given) =>
  (await call(getStack, { ports, as: 'admin', path })).json
const getRecord = async ({ ports }: Given) => present(await ports.stacks.find('shop'))
const synced = ({ ports }: Given) => {
  ports.clock.advance(5_000)
  return call(sync, { ports, as: olga, path })
}
const deployments = async ({ ports }: Given) =>
  (await call(listDeployments, { ports, as: 'viewer', path })).json as {
    id: string
    cause: string | null
    status: string
  }[]
const followed = async (given: Given) =>
  (await deployments(given)).filter(({ cause }) => cause === 'source')
const savesSource = ({ ports }: Given, as: TestCaller, body: object = {}) =>
  call(updateSource, { ports, as, path: { name: 'shop' }, body })

test('200 and 204: binds, shows and unbinds, and the stack stays as it is', async () => {
  const given = await givenFollowed()
  const before = await stackOf(given)
  const bound = await given.bind()
  expect([bound.status, bound.json]).toMatchObject([
    200,
    { source: 'shop', path: '', on_change: 'deploy', acts_as: 'olga', synced: null },
  ])
  expect(await shown(given)).toEqual(bound.json)
  expect((await stackOf(given)).source).toEqual(bound.json)
  expect((await call(remove, { ports: given.ports, as: olga, path })).status).toBe(204)
  expect((await call(get, { ports: given.ports, as: olga, path })).status).toBe(404)
  expect(await stackOf(given)).toEqual(before)
})

test('404: a stack, a source or a binding that is not there', async () => {
  const given = await givenFollowed()
  const { ports } = given
  expect((await given.bind({ source: 'none' })).status).toBe(404)
  for (const name of ['none', 'shop']) {
    for (const endpoint of [get, remove, sync]) {
      const request = { ports, as: olga, path: { name } } as const
      expect((await call(endpoint as typeof get, request)).status).toBe(404)
    }
  }
})

test('400: a path that leaves the source', async () => {
  const given = await givenFollowed()
  expect((await given.bind({ path: '../a' })).status).toBe(400)
  expect((await given.bind({ also: ['/etc'] })).status).toBe(400)
  expect((await given.bind({ on_change: 'pull' })).status).toBe(400)
})

test('409: other requests change the stack at the same time', async () => {
  const { ports } = await givenFollowed({})
  ports.stacks.replace = async () => undefined
  const body = { source: 'shop', on_change: 'notify' as const }
  const all = [
    await call(update, { ports, as: olga, path, body }),
    await call(remove, { ports, as: olga, path }),
    await call(sync, { ports, as: olga, path }),
  ]
  for (const { status, json } of all) {
    expect([status, json.error]).toEqual([409, expect.stringContaining('stack shop')])
  }
})

test('equal content touches nothing', async () => {
  const given = await givenFollowed({})
  const before = await stackOf(given)
  await given.run()
  expect(await stackOf(given)).toMatchObject({
    revision: before.revision,
    deployed_revision: before.deployed_revision,
    source: { synced: { revision: 'r1' }, last_error: null, is_waiting: false },
  })
  expect(await followed(given)).toEqual([])
  await given.run()
  expect(given.requests.filter((one) => one.startsWith('open'))).toHaveLength(1)
})

test('new content is saved and deployed, once', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop, 'site.conf': 'a' })
  await given.run()
  await given.run()
  const [one, ...others] = await followed(given)
  expect([others, present(one)]).toMatchObject([
    [],
    { by: 'olga', source: { source: 'shop', revision: 'r2', tree_id: 'r2', trigger: 'look' } },
  ])
  const stack = await stackOf(given)
  expect(stack.compose).toBe(changedShop)
  expect(stack.deployed_revision).toBe(stack.revision)
  expect(stack.source).toMatchObject({ synced: { revision: 'r2' }, is_waiting: false })
  const { rows } = await given.ports.audit.list({ action: 'stacks.source', limit: 9 })
  expect(rows.map(({ action }) => action)).toContain('stacks.source.deploy')
})

test('a change of another folder that counts deploys equal files again, once', async () => {
  const given = await givenFollowed()
  const { revisions } = given.ports.sourceReader
  const open = vi.spyOn(given.ports.sourceReader, 'open')
  const share = (revision: string, id: string) => {
    given.publish(revision, { 'compose.yaml': shop })
    revisions.set(revision, { ...revisions.get(revision), shared: { id, files: [] } })
  }
  share('r1', 's1')
  await given.bind({ path: 'apps', also: ['shared'] })
  await given.run()
  expect(await followed(given)).toEqual([])
  const before = await stackOf(given)
  share('r2', 's2')
  await given.run()
  await given.run()
  share('r3', 's2')
  await given.run()
  expect(await followed(given)).toMatchObject([
    { status: 'succeeded', source: { revision: 'r2', tree_id: 'apps s2' } },
  ])
  expect((await stackOf(given)).revision).toBe(before.revision)
  // The files of the other folder are not read.
  expect(open.mock.calls.map(([, , { paths }]) => paths)).not.toContainEqual(
    expect.arrayContaining(['shared']),
  )
})

test('another revision with equal content is not deployed', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': shop }, 'r1')
  await given.run()
  expect(await followed(given)).toEqual([])
})

test('files that are gone at the source are deleted, those that are kept here stay', async () => {
  const given = await givenFollowed()
  const { ports } = given
  const write = (name: string, content: string) =>
    call(writeFile, { ports, as: olga, path, query: { path: name }, body: { content } })
  await write('.env', 'A=own\n')
  await write('note.txt', 'mine')
  await given.bind()
  given.publish('r2', { 'compose.yaml': shop, '.env': 'A=theirs\n', 'site.conf': 'a' })
  await given.run()
  expect(await shown(given)).toMatchObject({ kept: ['.env', 'note.txt'], last_error: null })
  given.publish('r3', { 'compose.yaml': shop, '.env': 'A=theirs\n' })
  await given.run()
  const { env, files } = await stackOf(given)
  expect(env).toBe('A=own\n')
  expect((files as { path: string }[]).map((file) => file.path).sort()).toEqual([
    '.env',
    'compose.yaml',
    'note.txt',
  ])
})

test('409: the files of the source cannot be changed here, but kept ones can', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': shop, 'site.conf': 'a', '.env': 'A=theirs\n' })
  await given.run()
  const { ports } = given
  const of = (name: string) => ({ ports, as: olga, path, query: { path: name } }) as const
  const refused = [
    await call(updateStack, { ports, as: olga, path, body: { compose: changedShop } }),
    await call(writeFile, { ...of('site.conf'), body: { content: 'b' } }),
    await call(writeFile, { ...of('new.txt'), body: { content: 'b' } }),
    await call(deleteFile, of('site.conf')),
  ]
  for (const { status, json, headers } of refused) {
    expect([status, json.error]).toEqual([409, expect.stringContaining('source unset shop')])
    expect(headers['x-error-reason']).toBe('managed-by-source')
  }
  const same = await call(updateStack, { ports, as: olga, path, body: { compose: shop } })
  expect(same.status).toBe(200)
  const own = await call(writeFile, { ...of('.env'), body: { content: 'A=own\n' } })
  expect(own.status).toBe(200)
  expect(await shown(given)).toMatchObject({ kept: ['.env'] })
  await call(deleteFile, of('.env'))
  await given.run()
  expect(await stackOf(given)).toMatchObject({ env: 'A=theirs\n', source: { kept: [] } })
})

test('a secret file of the source that is deleted here comes back', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  given.publish('r2', { 'compose.yaml': shop, '.env': 'A=theirs\n', 'own.key': 'theirs' })
  await given.run()
  expect(await shown(given)).toMatchObject({ kept: [] })
  for (const name of ['.env', 'own.key']) {
    const query = { path: name }
    expect((await call(deleteFile, { ports, as: olga, path, query })).status).toBe(200)
  }
  await given.run(10_000)
  const { env, files } = await stackOf(given)
  expect(env).toBe('A=theirs\n')
  expect((files as { path: string }[]).map((file) => file.path)).toContain('own.key')
})

test('with notify it is only said, until a user takes it', async () => {
  const given = await givenFollowed({ on_change: 'notify' })
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  await given.run()
  expect(await shown(given)).toMatchObject({ waiting: { revision: 'r2' }, synced: null })
  expect((await stackOf(given)).compose).toBe(shop)
  const { rows } = await given.ports.audit.list({ action: 'stacks.source.notice', limit: 9 })
  expect(rows).toHaveLength(1)
  const taken = await synced(given)
  expect([taken.status, taken.json]).toMatchObject([
    200,
    { waiting: null, synced: { revision: 'r2' } },
  ])
  expect((await stackOf(given)).compose).toBe(changedShop)
  expect(await followed(given)).toEqual([])
})

test('with plan the files become the newest revision, and nothing is deployed', async () => {
  const given = await givenFollowed({ on_change: 'plan' })
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  const { compose, revision, deployed_revision: deployed } = await stackOf(given)
  expect([compose, revision === deployed]).toEqual([changedShop, false])
  expect(await followed(given)).toEqual([])
})

test('a stopped stack gets the revision and stays stopped', async () => {
  const given = await givenFollowed({})
  await given.run()
  await call(stop, { ports: given.ports, as: olga, path })
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  await given.run()
  expect(await followed(given)).toEqual([])
  expect(await stackOf(given)).toMatchObject({ compose: changedShop, status: 'stopped' })
})

test('after a rollback nothing follows until the source has something else', async () => {
  const given = await givenFollowed({})
  await given.run()
  const first = present((await deployments(given)).at(-1)).id
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  const body = { deployment_id: first }
  const back = await call(rollback, { ports: given.ports, as: olga, path, body })
  expect(back.status).toBe(200)
  await given.run()
  given.publish('r2-again', { 'compose.yaml': changedShop }, 'r2')
  await given.run()
  expect([(await stackOf(given)).compose, (await followed(given)).length]).toEqual([shop, 1])
  const third = changedShop.replace('x-changed: 1', 'x-changed: 3')
  given.publish('r3', { 'compose.yaml': third })
  await given.run()
  expect([(await stackOf(given)).compose, (await followed(given)).length]).toEqual([third, 2])
})

test('a user takes it again after a rollback', async () => {
  const given = await givenFollowed({})
  await given.run()
  const first = present((await deployments(given)).at(-1)).id
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  await call(rollback, { ports: given.ports, as: olga, path, body: { deployment_id: first } })
  await synced(given)
  await given.ports.background.settled()
  expect(await followed(given)).toHaveLength(2)
  expect((await stackOf(given)).compose).toBe(changedShop)
})

test('while the stack is busy only the newest waits', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.ports.clock.advance(400_000)
  const lease = present(await tryStackLease('shop', 'another', given.ports))
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run(0)
  expect(await shown(given)).toMatchObject({ is_waiting: true, synced: { revision: 'r2' } })
  given.publish('r3', { 'compose.yaml': changedShop.replace('x-changed: 1', 'x-changed: 3') })
  await given.ports.leases.release(lease)
  await given.run()
  expect(await followed(given)).toMatchObject([{ source: { revision: 'r3' } }])
  expect(await shown(given)).toMatchObject({ is_waiting: false })
})

test('20 commits while a deployment runs end in one more deployment, of the newest', async () => {
  const given = await givenFollowed({})
  await given.run()
  const { ports } = given
  const { engine } = given.here
  const { writeFiles } = engine
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  engine.writeFiles = async (...asked) => {
    await held
    return writeFiles(...asked)
  }
  const composeOf = (count: number) => shop.replaceAll('sleep 3600', `sleep ${count}`)
  const push = async (count: number) => {
    given.publish(`c${count}`, { 'compose.yaml': composeOf(count) })
    expect((await call(look, { ports, as: olga, path })).json.revision).toBe(`c${count}`)
    await bySchedule.with(ports)()
  }
  await push(0)
  for (let count = 1; count <= 20; count += 1) await push(count)
  expect(await followed(given)).toMatchObject([{ status: 'running', source: { revision: 'c0' } }])
  letGo()
  await ports.background.settled()
  await given.run()
  await given.run()
  expect(await followed(given)).toMatchObject([
    { status: 'succeeded', source: { revision: 'c20' } },
    { status: 'succeeded', source: { revision: 'c0' } },
  ])
  const { compose, revision, deployed_revision: deployed } = await stackOf(given)
  expect([compose, revision]).toEqual([composeOf(20), deployed])
  expect(await shown(given)).toMatchObject({ is_waiting: false, last_error: null })
})

test('403: an account without a right, or limited to some hosts', async () => {
  const given = await givenFollowed()
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  for (const as of ['viewer', limited] as const) {
    expect((await given.bind({}, as)).status).toBe(403)
  }
})

test('200: an account that is limited to the host of the stack syncs it', async () => {
  const given = await givenFollowed()
  const { ports } = given
  await givenHost(given.here, 'lab', { tags: ['lab'] })
  await givenStack(given.here, 'other', { host: 'lab' })
  const other = { name: 'other' }
  const body = { source: 'shop', on_change: 'deploy' as const }
  expect((await call(update, { ports, as: olga, path: other, body })).status).toBe(200)
  given.publish('r2', { 'compose.yaml': changedShop })
  ports.clock.advance(400_000)
  const as = { username: 'lab', role: 'operator', scopeTags: ['lab'] }
  const answer = await call(sync, { ports, as, path: other })
  expect([answer.status, answer.json]).toMatchObject([
    200,
    { synced: { revision: 'r2' }, last_error: null },
  ])
  expect((await call(sync, { ports, as, path })).status).toBe(403)
  await ports.background.settled()
})

test('a disabled account is blocked, and goes on when it is back', async () => {
  const given = await givenFollowed()
  const { ports } = given
  const otto = { username: 'otto', role: 'operator' }
  await given.bind({}, otto)
  await given.run()
  const { id } = await accountOf(ports, otto)
  const change = async (disabled: boolean) =>
    ports.accounts.replace({ ...present(await ports.accounts.find(id)), disabled })
  await change(true)
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  await given.run(4_000_000)
  expect([(await shown(given)).last_error, (await stackOf(given)).compose]).toMatchObject([
    { reason: 'blocked', message: expect.stringContaining('otto is disabled') },
    shop,
  ])
  const { rows } = await ports.audit.list({ action: 'stacks.source.block', limit: 9 })
  expect(rows).toHaveLength(1)
  await change(false)
  await given.run(4_000_000)
  expect(await followed(given)).toMatchObject([{ by: 'otto' }])
  expect((await shown(given)).last_error).toBeNull()
})

test('what a source has is judged as what its account types', async () => {
  const given = await givenFollowed({})
  given.publish('r2', { 'compose.yaml': shop.replace('image:', 'privileged: true\n    image:') })
  await given.run()
  expect(await shown(given)).toMatchObject({
    last_error: { reason: 'policy', message: expect.stringContaining('privileged') },
    synced: null,
  })
  expect(await followed(given)).toEqual([])
  given.publish('r3', { 'compose.yaml': 'services: [' })
  await given.run(4_000_000)
  expect((await shown(given)).last_error.reason).toBe('invalid-compose')
  given.publish('r4', { 'compose.yaml': changedShop })
  await given.run(4_000_000)
  expect(await shown(given)).toMatchObject({ last_error: null, synced: { revision: 'r4' } })
})

test('a folder that is not there is named', async () => {
  const given = await givenFollowed({ path: 'none' })
  await given.run()
  expect((await shown(given)).last_error).toMatchObject({
    reason: 'no-such-folder',
    message: expect.stringContaining('none'),
  })
})

test('a source that fails is tried again later and later, and open once for all', async () => {
  const given = await givenFollowed({})
  const { sourceReader } = given.ports
  const open = vi
    .spyOn(sourceReader, 'open')
    .mockRejectedValue(new SourceFailure('denied', 'it refuses'))
  await given.run()
  await given.run(10_000)
  expect(open).toHaveBeenCalledTimes(1)
  expect((await shown(given)).last_error).toMatchObject({ reason: 'denied' })
  await given.run(60_000)
  expect(open).toHaveBeenCalledTimes(2)
  open.mockRestore()
  await given.run(130_000)
  expect(await shown(given)).toMatchObject({ last_error: null, synced: { revision: 'r1' } })
})

test('a sync by a user that failed is tried again, though the source has nothing new', async () => {
  const given = await givenFollowed({})
  await given.run()
  const open = vi
    .spyOn(given.ports.sourceReader, 'open')
    .mockRejectedValue(new SourceFailure('denied', 'it refuses'))
  const failed = await synced(given)
  expect(failed.json).toMatchObject({ last_error: { reason: 'denied' }, is_waiting: true })
  await given.run(10_000)
  expect(open).toHaveBeenCalledTimes(1)
  open.mockRestore()
  await given.run(130_000)
  expect(await shown(given)).toMatchObject({ last_error: null, is_waiting: false })
  expect(await followed(given)).toEqual([])
})

test('a deployment that could not begin begins in the next pass', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  const away = conflict('the store is away', { reason: 'store-unavailable' })
  vi.spyOn(given.ports.deployments, 'create').mockRejectedValueOnce(away)
  await given.run()
  expect([await followed(given), (await shown(given)).is_waiting]).toEqual([[], true])
  await given.run(10_000)
  expect(await followed(given)).toMatchObject([{ source: { revision: 'r2' } }])
})

/** The compose file of the stack with an image that no registry has. */
const lostShop = changedShop.replaceAll('busybox', 'lost')

/** Publishes files whose deployment fails. Returns the ID of that deployment. */
async function failedDeployment(given: Given) {
  await given.run()
  given.publish('r2', { 'compose.yaml': lostShop })
  await given.run()
  const [failed] = await followed(given)
  expect(failed?.status).toBe('failed')
  return present(failed).id
}

test('a deployment that failed is shown, until a sync deploys it or the source has more', async () => {
  const given = await givenFollowed({})
  const id = await failedDeployment(given)
  expect((await shown(given)).last_error).toBeNull()
  await given.run(10_000)
  const { last_error: error } = await shown(given)
  expect(error).toEqual({
    reason: 'deployment-failed',
    message: expect.stringMatching(`deployment ${id} of r2 failed: [^]*lost[^]*source sync shop`),
    next_at: null,
    deployment_id: id,
  })
  const { source } = await getRecord(given)
  expect(whyNotFollowing(present(source))).toBe(error.message)
  // Neither time nor a revision with the same files begins another one.
  given.publish('r2-again', { 'compose.yaml': lostShop }, 'r2')
  await given.run()
  await given.run()
  expect([await followed(given), (await shown(given)).last_error]).toMatchObject([[{ id }], error])
  const { rows } = await given.ports.audit.list({ action: 'stacks.source.fail', limit: 9 })
  expect(rows.map(({ values }) => values)).toEqual([
    { source: 'shop', source_revision: 'r2', deployment_id: id, reason: error.message },
  ])
  await synced(given)
  await given.ports.background.settled()
  await given.run(10_000)
  const [again] = await followed(given)
  expect((await shown(given)).last_error).toMatchObject({ deployment_id: present(again).id })
  expect(await followed(given)).toHaveLength(2)
  given.publish('r3', { 'compose.yaml': changedShop })
  await given.run()
  await given.run(10_000)
  expect(await followed(given)).toMatchObject([{ status: 'succeeded' }, {}, {}])
  expect((await shown(given)).last_error).toBeNull()
})

test.each([
  [
    'a user deploys the newest files',
    async ({ ports, here }: Given) => {
      here.engine.state.registry.add('lost:latest')
      return call(deployStack, { ports, as: olga, path, body: {} })
    },
  ],
  ['the stack is stopped', async ({ ports }: Given) => call(stop, { ports, as: olga, path })],
  [
    'it is rolled back',
    async (given: Given) => {
      const body = { deployment_id: present((await deployments(given)).at(-1)).id }
      return call(rollback, { ports: given.ports, as: olga, path, body })
    },
  ],
])('a deployment that failed is no longer shown once %s', async (_name, act) => {
  const given = await givenFollowed({})
  await failedDeployment(given)
  await given.run(10_000)
  expect((await shown(given)).last_error).not.toBeNull()
  const { status, json } = await act(given)
  expect([status, json.status]).toEqual([200, expect.stringMatching(/^(succeeded|stopped)$/)])
  await given.run(10_000)
  expect((await shown(given)).last_error).toBeNull()
})

test('files that were edited on the host are named, and overwritten if the binding says so', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.here.engine.state.files.set('/opt/stacks/shop/compose.yaml', {
    path: 'compose.yaml',
    content: Buffer.from('services: {}'),
    mode: 0o644,
  })
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  const { last_error: error } = await shown(given)
  expect(error).toMatchObject({
    reason: 'drift',
    message: expect.stringMatching(/compose\.yaml.*set the source of the stack again/),
  })
  expect(error.message).not.toContain('on_drift')
  await given.bind({ overwrite: true })
  await given.run(10_000)
  expect(await followed(given)).toMatchObject([{ status: 'succeeded' }])
  expect((await shown(given)).last_error).toBeNull()
})

test('no part of a secret file is in why a commit is refused, whoever bound the stack', async () => {
  const given = await givenFollowed()
  const { ports } = given
  const { status } = await call(writeFile, {
    ports,
    as: 'admin',
    path,
    query: { path: '.env' },
    body: { content: 'PIN=hunter2' },
  })
  expect(status).toBe(200)
  await savesSource(given, 'admin')
  await given.bind({}, 'admin')
  for (const [revision, more] of [
    ['r2', 'ports: ["${PIN}"]'],
    ['r3', 'env_file: "${PIN}"'],
    ['r4', 'network_mode: "service:${PIN}"'],
  ] as const) {
    const compose = `services: {web: {image: busybox, ${more}}}`
    given.publish(revision, { 'compose.yaml': compose })
    await given.run(4_000_000)
    const { last_error: error } = await shown(given)
    expect([revision, error]).toEqual([
      revision,
      expect.objectContaining({ message: expect.any(String) }),
    ])
    const { rows } = await ports.audit.list({ action: 'stacks.source.fail', limit: 9 })
    const stack = await call(getStack, { ports, as: 'viewer', path })
    expect(JSON.stringify([error, rows, stack.json])).not.toContain('hunter2')
  }
})

test('a secret file stays secret if the source no longer calls it so', async () => {
  const given = await givenFollowed()
  const { ports } = given
  const secrets = 'secrets: {pin: {file: ./pin.txt}}'
  const compose = `services: {web: {image: busybox, secrets: [pin]}}\n${secrets}`
  const put = (file: string, content: string) =>
    call(writeFile, { ports, as: 'admin', path, query: { path: file }, body: { content } })
  expect((await put('pin.txt', 'hunter2')).status).toBe(200)
  expect((await put('compose.yaml', compose)).status).toBe(200)
  await savesSource(given, 'admin')
  await given.bind({}, 'admin')
  given.publish('r2', { 'compose.yaml': 'services: {web: {image: busybox}}' })
  await given.run()
  expect((await shown(given)).kept).toContain('pin.txt')
  const read = await call(readFile, { ports, as: 'viewer', path, query: { path: 'pin.txt' } })
  expect(read.text).not.toContain('hunter2')
})

test('an account with fewer rights that changes the source does not lead what is deployed', async () => {
  const given = await givenFollowed()
  await savesSource(given, 'admin')
  expect((await given.bind({}, 'admin')).status).toBe(200)
  await given.run()
  expect((await savesSource(given, olga, { ref: '2' })).status).toBe(200)
  given.publish('r2', { 'compose.yaml': changedShop }, 'r2', '2')
  await given.run()
  expect((await shown(given)).last_error).toMatchObject({
    reason: 'blocked',
    message: expect.stringContaining('account olga'),
  })
  expect((await stackOf(given)).compose).toBe(shop)
  await savesSource(given, 'admin')
  await given.run()
  expect((await stackOf(given)).compose).toBe(changedShop)
})

test('409: the source was last saved by an account or a token with fewer rights', async () => {
  const given = await givenFollowed()
  const refused = async (why: string) => {
    const { status, json, headers } = await given.bind({}, 'admin')
    const error = expect.stringMatching(new RegExp(`${why}.*cli sources update shop`))
    expect([status, json.error, headers['x-error-reason']]).toEqual([409, error, 'blocked'])
  }
  await refused('account olga does not have the permission stacks:privileged')
  await savesSource(given, await limitedToken(given.ports, 'admin', 'operator'))
  await refused('token of account admin that lacks stacks:privileged')
  await savesSource(given, 'admin')
  expect((await given.bind({}, 'admin')).status).toBe(200)
  // An account may let a stack follow what one with more rights saved.
  expect((await given.bind()).status).toBe(200)
})

const managing = ['registries:manage']
const stackRights = ['stacks:update', 'stacks:deploy', 'stacks:secrets']

test.each([
  ['cannot change stacks', managing, 'blocked'],
  ['can', [...managing, ...stackRights], undefined],
])('a token leads what is deployed only with the rights for it: it %s', async (_, has, reason) => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  const as = await limitedToken(ports, olga, 'ci', has)
  expect((await savesSource(given, as, { ref: '2' })).status).toBe(200)
  given.publish('r2', { 'compose.yaml': changedShop }, 'r2', '2')
  await given.run()
  const { last_error: error } = await shown(given)
  expect(error?.reason).toBe(reason)
  expect((await stackOf(given)).compose).toBe(reason === undefined ? changedShop : shop)
  // The account itself has checked the source when it saves it.
  expect((await savesSource(given, olga)).status).toBe(200)
  await given.run()
  expect((await shown(given)).last_error).toBeNull()
  expect((await stackOf(given)).compose).toBe(changedShop)
})

test('who may only change files deploys nothing by a file that is no longer kept', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  await givenEditor(given.here)
  const query = { path: 'own.key' }
  expect(
    (await call(writeFile, { ports, as: editor, path, query, body: { content: 'mine' } })).status,
  ).toBe(200)
  expect((await call(deleteFile, { ports, as: editor, path, query })).status).toBe(200)
  await given.run(10_000)
  await given.run(10_000)
  expect(await followed(given)).toEqual([])
})

test('what a user asks for during a pass is done by the next one', async () => {
  const given = await givenFollowed({ on_change: 'notify' })
  const { ports } = given
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  const { open } = ports.sourceReader
  ports.sourceReader.open = async (...asked) => {
    const tree = await open(...asked)
    await ports.stacks.replace({
      ...(await getRecord(given)),
      source: { ...present((await getRecord(given)).source), askedAt: ports.clock.now() },
    })
    ports.sourceReader.open = open
    return tree
  }
  await given.run()
  await given.run(10_000)
  expect((await stackOf(given)).compose).toBe(changedShop)
})

/** Lets something happen while the files of the source are read the next time. */
function whileRead({ ports: { sourceReader } }: Given, happens: () => Promise<unknown>) {
  const { open } = sourceReader
  sourceReader.open = async (...asked) => {
    sourceReader.open = open
    const tree = await open(...asked)
    return {
      ...tree,
      async *files(folder) {
        yield* tree.files(folder)
        await happens()
      },
    }
  }
}

test('a process that was paused puts no older files over newer ones', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  whileRead(given, async () => {
    const record = await getRecord(given)
    const source = present(record.source)
    const newer = { ...present(source.synced), revision: 'r3', treeId: 'r3' }
    const next = { ...source, comparedRevision: 'r3', synced: newer }
    await given.ports.stacks.replace({ ...record, source: next })
  })
  await given.run()
  expect((await stackOf(given)).compose).toBe(shop)
  expect(await shown(given)).toMatchObject({ synced: { revision: 'r3' }, last_error: null })
})

test('a process that stops saves nothing that it has read', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  await call(look, { ports, as: olga, path })
  const stopping = new AbortController()
  whileRead(given, async () => stopping.abort())
  await syncStacks(ports, stopping.signal)
  expect((await stackOf(given)).compose).toBe(shop)
  await given.run(10_000)
  expect((await stackOf(given)).compose).toBe(changedShop)
})

test('one folder that cannot be read keeps no other stack from its own', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  const { open } = given.ports.sourceReader
  vi.spyOn(given.ports.sourceReader, 'open').mockImplementation(
    async (source, revision, what, signal) => {
      if (what.paths.includes('huge')) throw new SourceFailure('too-large', 'huge is too large')
      return open(source, revision, what, signal)
    },
  )
  await givenStack(given.here, 'other')
  const body = { source: 'shop', path: 'huge', on_change: 'plan' as const }
  const other = { name: 'other' }
  expect((await call(update, { ports: given.ports, as: olga, path: other, body })).status).toBe(200)
  await given.run()
  expect((await stackOf(given)).compose).toBe(changedShop)
  const failed = await call(get, { ports: given.ports, as: 'viewer', path: other })
  expect(failed.json.last_error).toMatchObject({ reason: 'too-large' })
})

test('other folders are compared by their IDs, and not read', async () => {
  const given = await givenFollowed()
  const { sourceReader } = given.ports
  const open = vi.spyOn(sourceReader, 'open')
  const publish = (revision: string, id: string) => {
    given.publish(revision, { 'compose.yaml': shop })
    const folders = present(sourceReader.revisions.get(revision))
    sourceReader.revisions.set(revision, { ...folders, shared: { id, files: [] } })
  }
  publish('r1', 's1')
  await given.bind({ path: 'apps', also: ['shared'] })
  await given.run()
  publish('r2', 's2')
  await given.run()
  expect((await shown(given)).synced.tree_id).toBe('apps s2')
  expect(open.mock.calls.map(([, , { paths }]) => paths)).toEqual([['apps'], ['apps']])
})

test('a slow server holds up no other, and its further sources wait for the next run', async () => {
  const given = await givenFollowed({})
  await given.run()
  const { ports, here } = given
  const slow = 'oci://slow.example.org/team/shop'
  ports.sourceReader.refs.set(`${slow} at 1`, 'r1')
  for (const name of ['a', 'b', 'c']) {
    await givenStack(here, name)
    const body = { name, kind: 'oci', url: slow, ref: '1' }
    expect((await call(createSource, { ports, as: olga, body })).status).toBe(201)
    const terms = { source: name, on_change: 'plan' as const }
    const bound = await call(update, { ports, as: olga, path: { name }, body: terms })
    expect(bound.status).toBe(200)
  }
  const { open } = ports.sourceReader
  let reads = 0
  ports.sourceReader.open = async (source, ...asked) => {
    if (source.url === slow) {
      reads += 1
      ports.clock.advance(31_000)
    }
    return open(source, ...asked)
  }
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  expect([reads, (await stackOf(given)).compose]).toEqual([1, changedShop])
  await given.run(10_000)
  await given.run(10_000)
  const all = await Promise.all(['a', 'b', 'c'].map((name) => ports.stacks.find(name)))
  expect([reads, ...all.map((one) => one?.source?.synced?.revision)]).toEqual([3, 'r1', 'r1', 'r1'])
})

test('a run lists all stacks once, and once more for each source that it reads', async () => {
  const given = await givenFollowed()
  const { ports, here } = given
  const names = ['a', 'b', 'c']
  for (const name of names) {
    await givenStack(here, name)
    const body = { name, kind: 'oci', url: 'oci://registry.example.org/team/shop', ref: '1' }
    expect((await call(createSource, { ports, as: olga, body })).status).toBe(201)
    const terms = { source: name, on_change: 'notify' as const }
    const bound = await call(update, { ports, as: olga, path: { name }, body: terms })
    expect(bound.status).toBe(200)
  }
  const list = vi.spyOn(ports.stacks, 'list')
  await given.run()
  expect(list).toHaveBeenCalledTimes(1 + names.length)
  const all = await Promise.all(names.map((name) => ports.stacks.find(name)))
  expect(all.map((one) => one?.source?.waiting?.revision)).toEqual(['r1', 'r1', 'r1'])
})

test('a viewer is not told what a look says, and a source is not asked twice at once', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  const failure = new SourceFailure('limited', 'registry.example.org says 429', { retryAfter: 900 })
  ports.sourceReader.refs.set('oci://registry.example.org/team/shop at 1', failure)
  await given.run()
  const [told, hidden] = [await call(get, { ports, as: olga, path }), await shown(given)]
  expect(told.json.last_error.message).toContain('429')
  expect(hidden.last_error).toMatchObject({ reason: 'limited' })
  expect(hidden.last_error.message).not.toContain('429')
  const before = given.requests.length
  await synced(given)
  await synced(given)
  expect(given.requests.slice(before).filter((one) => one.startsWith('look'))).toEqual([])
})

test('a sync right after a look waits, and sees what came in between', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  const before = given.requests.length
  given.publish('r2', { 'compose.yaml': changedShop })
  const asked = call(sync, { ports, as: olga, path })
  const looks = () => {
    ports.clock.advance(1_000)
    return given.requests.length
  }
  await expect.poll(looks).toBeGreaterThan(before)
  expect((await asked).json.synced).toMatchObject({ revision: 'r2' })
  expect(given.requests.slice(before).filter((one) => one.startsWith('look'))).toHaveLength(1)
})

/** Returns what an alert says of the stack. */
async function alerted(given: Given) {
  const host = present(await given.ports.hosts.find('local'))
  const view = { host, now: 0, stacks: [await getRecord(given)], jobs: [] }
  const rule = { metric: 'source_failed', match: {} }
  return [...(observer(view as never)(rule as never) ?? [])]
}

test.each([
  ['it refuses the account puller', false],
  ['account olga is disabled', true],
])('only those who manage sources are told: %s', async (secret, isDisabled) => {
  const given = await givenFollowed()
  const { ports } = given
  const otto = { username: 'otto', role: 'operator' }
  await given.bind({}, otto)
  await given.run()
  given.publish('r2', { 'compose.yaml': changedShop })
  await call(look, { ports, as: olga, path })
  vi.spyOn(ports.sourceReader, 'open').mockRejectedValue(new SourceFailure('denied', secret))
  const account = await accountOf(ports, olga)
  await ports.accounts.replace({ ...account, disabled: isDisabled })
  await given.run(0)
  const told = (await call(get, { ports, as: otto, path })).json.last_error
  expect(told.message).toContain(secret)
  const hidden = await shown(given)
  const message = expect.stringContaining('users who may manage sources')
  expect(hidden.last_error).toEqual({ ...told, message })
  const { rows } = await ports.audit.list({ limit: 99 })
  const reported = rows.find(({ action }) => /^stacks\.source\.(block|fail)$/.test(action))
  const alerts = await alerted(given)
  expect([reported?.values, alerts]).toMatchObject([
    { reason: hidden.last_error.message },
    [{ value: 1, detail: hidden.last_error.message }],
  ])
  const { json: stack } = await call(getStack, { ports, as: 'viewer', path })
  expect(JSON.stringify([hidden, rows, alerts, stack])).not.toContain(secret)
})

test('what was edited on the host and is put back is deployed later, by itself', async () => {
  const given = await givenFollowed({})
  await given.run()
  const { files } = given.here.engine.state
  const at = '/opt/stacks/shop/compose.yaml'
  const before = present(files.get(at))
  files.set(at, { ...before, content: Buffer.from('services: {}') } as typeof before)
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  await given.run(10_000)
  const { last_error: error, is_waiting: waits } = await shown(given)
  expect([error?.reason, waits]).toEqual(['drift', true])
  files.set(at, before)
  await given.run(10_000)
  expect(await followed(given)).toEqual([])
  await given.run(120_000)
  expect(await followed(given)).toMatchObject([{ status: 'succeeded' }])
})

test('a push of nothing new does not hide why a deployment waits, nor begin it sooner', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  await given.run()
  const { files } = given.here.engine.state
  const at = '/opt/stacks/shop/compose.yaml'
  files.set(at, { ...present(files.get(at)), content: Buffer.from('services: {}') } as never)
  given.publish('r2', { 'compose.yaml': changedShop })
  await given.run()
  const waits = await shown(given)
  expect([waits.last_error?.reason, waits.is_waiting]).toEqual(['drift', true])
  given.publish('r3', { 'compose.yaml': changedShop }, 'r2')
  await call(look, { ports, as: olga, path })
  await given.run(10_000)
  await given.run(10_000)
  expect((await getRecord(given)).source).toMatchObject({
    comparedRevision: 'r3',
    problem: { reason: 'drift', revision: 'r3', failures: 1 },
  })
  expect(await shown(given)).toMatchObject({ last_error: waits.last_error, is_waiting: true })
  const { rows } = await ports.audit.list({ action: 'stacks.source.fail', limit: 9 })
  expect(rows).toHaveLength(1)
})

test('409: a source that a stack follows is not deleted', async () => {
  const given = await givenFollowed({})
  const { ports } = given
  const refused = await call(removeSource, { ports, as: olga, path })
  expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining('stack shop')])
  await call(remove, { ports, as: olga, path })
  expect((await call(removeSource, { ports, as: olga, path })).status).toBe(204)
})
