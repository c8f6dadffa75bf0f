import { expect, test } from 'vitest'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenInstallation,
  givenJob,
  givenVolume,
  runJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenQueue } from '../../local/harness/full-queue.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import {
  forgetOwners,
  givenContainer,
  givenHost,
  givenStack,
  shop,
} from '../../local/harness/world.ts'
import { Failure, internalError } from '../core/errors.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { BackupRun, RestoreJournal } from '../core/records/backup-run.ts'
import type { Permission } from '../core/records/permissions.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { tarEntries } from '../core/tar/entries.ts'
import deploy from '../stacks/deploy.ts'
import removeStack from '../stacks/remove.ts'
import updateStack from '../stacks/update.ts'
import recover from './recover-restores.ts'
import restore from './restore.ts'
import verify from './verify.ts'

const everything = [
  { kind: 'stack', name: 'shop' },
  { kind: 'volume', name: 'loose' },
]

/** Sets up a backup of the stack and the loose volume, and returns its run. */
async function backedUp(more: object = {}) {
  const here = await backupWorld()
  const run = await runJob(here, await givenJob(here, { sources: everything, ...more }))
  return { ...here, run }
}

async function restored(
  here: BackupWorld & { run: { id: string } },
  body: object,
  as: TestCaller = 'admin',
) {
  const { ports, run } = here
  const answer = await call(restore, { ports, as, path: { id: run.id }, body })
  await ports.background.settled()
  const ended = answer.status === 202 ? await ports.backupRuns.find(answer.json.id) : undefined
  return { answer, ended }
}

/** Records a restore of the backup as a process left it that was killed. */
async function givenRestore(
  { ports, run }: BackupWorld & { run: { id: string } },
  journal: RestoreJournal,
  more: Partial<BackupRun> = {},
) {
  const of = present(await ports.backupRuns.find(run.id))
  const restore = { ...of, id: 'r9', kind: 'restore', status: 'running', journal } as const
  await ports.backupRuns.create({ ...restore, ...more })
}

/** Returns the text of a volume's only file. */
async function textIn({ engine }: BackupWorld, name: string): Promise<string | undefined> {
  const archive = engine.state.archives.get(`volume ${name}`)
  if (!archive) return undefined
  async function* bytes() {
    yield present(archive)
  }
  for await (const { header, content } of tarEntries(bytes())) {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    if (header.name === 'data/file') return Buffer.concat(parts).toString()
  }
  return ''
}

const volumesOf = ({ engine }: BackupWorld) => [...engine.state.volumes.keys()].sort()
const forget = ({ engine }: BackupWorld, name: string) => {
  engine.state.volumes.delete(name)
  engine.state.archives.delete(`volume ${name}`)
}

test('202: creates a missing volume and fills it', async () => {
  const here = await backedUp()
  forget(here, 'loose')
  await here.ports.settings.save({ 'stacks.shared_volumes': ['loose'] })
  const sources = [{ kind: 'volume', name: 'loose' }]
  const { answer, ended } = await restored(here, { sources }, 'operator')
  expect(answer.json).toMatchObject({ kind: 'restore', status: 'running', restores: here.run.id })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'loose')).toBe('photos')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test('202: a stack restored under another name gets its own volumes and runs', async () => {
  const here = await backedUp()
  const sources = [{ kind: 'stack', name: 'shop' }]
  const { ended } = await restored(here, { sources, stack_name: 'copy' })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'copy_data')).toBe('orders')
  expect(await here.ports.stacks.find('copy')).toMatchObject({
    directory: '/opt/stacks/copy',
    deployed: true,
    last: { status: 'succeeded' },
  })
  expect(volumesOf(here)).toEqual(['copy_data', 'loose', 'shop_data'])
})

/** Restores a stack as `copy`, whose deploy fails before it writes. Its calls of `writeFiles`. */
async function restoredUndeployed() {
  const here = await backedUp()
  const { ports, engine } = here
  const env = 'SECONDS=60\n'
  await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body: { env } })
  const run = await runJob(here, await givenJob(here, { name: 'with-env' }))
  const { writeFiles } = engine
  engine.writeFiles = async () => {
    throw internalError('the disk is full')
  }
  const sources = [{ kind: 'stack', name: 'shop' }]
  const { ended } = await restored({ ...here, run }, { sources, stack_name: 'copy' })
  expect([ended?.status, ended?.error]).toEqual(['failed', expect.stringContaining('disk is full')])
  const calls: { directory: string; written: string[]; removed: readonly string[] }[] = []
  engine.writeFiles = async (directory, files, removed = []) => {
    calls.push({ directory, written: files.map(({ path }) => path), removed })
    await writeFiles(directory, files, removed)
  }
  return { ...here, calls, path: { name: 'copy' } }
}

test('a restored stack that was not deployed is deleted with its files', async () => {
  const { ports, calls, path } = await restoredUndeployed()
  expect((await call(removeStack, { ports, as: 'admin', path })).status).toBe(204)
  const removed = ['.env', 'compose.yaml']
  expect(calls).toEqual([{ directory: '/opt/stacks/copy', written: [], removed }])
})

test('the first deploy of a restored stack removes restored files that it no longer has', async () => {
  const { ports, calls, path } = await restoredUndeployed()
  await call(updateStack, { ports, as: 'admin', path, body: { env: null } })
  const { json } = await call(deploy, { ports, as: 'admin', path, body: {} })
  expect(json).toMatchObject({ status: 'succeeded', error: null })
  expect(calls).toEqual([
    { directory: '/opt/stacks/copy', written: ['compose.yaml'], removed: ['.env'] },
  ])
  expect(await ports.stacks.find('copy')).not.toHaveProperty('restoredPaths', expect.anything())
})

test('202: leaves a stack undeployed that uses what an account that saved it may not', async () => {
  const here = await backupWorld()
  const { ports } = here
  const path = { name: 'shop' }
  const compose = shop
    .replace('"data:/data"', '"data:/data", "loose:/loose"')
    .replace('  data:\n', '  data:\n  loose: { name: loose, external: true }\n')
  const saved = await call(updateStack, { ports, as: 'operator', path, body: { compose } })
  expect(saved.status).toBe(200)
  const sources = [{ kind: 'stack', name: 'shop' }]
  const run = await runJob(here, await givenJob(here, { sources }))
  const { ended } = await restored({ ...here, run }, { sources, overwrite: true })
  expect(ended?.error).toContain('stack shop is restored, but could not be deployed')
  expect(ended?.error).toContain('accept_references to ["volume:loose"]')
  const body = { accept_references: ['volume:loose'], on_drift: 'overwrite' }
  const { json } = await call(deploy, { ports, as: 'admin', path, body })
  expect(json.status).toBe('succeeded')
})

test('202: overwrite replaces the existing data completely', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'spoilt')
  const { ended } = await restored(here, { overwrite: true })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test('202: deploys a stack while too many compose files of callers are read', async () => {
  const here = await backedUp()
  const queue = givenQueue(here.ports)
  const { writeArchive } = here.engine
  here.engine.writeArchive = (...given) => {
    queue.isFull = true
    return writeArchive(...given)
  }
  const { ended } = await restored(here, { overwrite: true })
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
})

/** Makes all pauses a hundredth of what they are. */
function shortenPauses({ ports: { clock } }: BackupWorld) {
  const { sleep } = clock
  clock.sleep = (milliseconds, signal) => sleep(milliseconds / 100, signal)
}

test('202: tries again to deploy a stack, and to start containers, while the Engine is busy', async () => {
  const here = await backedUp()
  const { engine } = here
  shortenPauses(here)
  await givenContainer(here, 'viewer')
  const [viewer] = [...engine.state.containers.values()].filter(({ name }) => name === 'viewer')
  present(viewer).body.HostConfig = { Binds: ['loose:/photos'] }
  const { observe, act } = engine
  const busy = () =>
    internalError('the Docker Engine did not respond within 5 s', { reason: 'engine-busy' })
  engine.observe = async () => {
    engine.observe = observe
    throw busy()
  }
  const starts: string[] = []
  engine.act = async (id, action) => {
    if (action.kind !== 'start') return act(id, action)
    starts.push(id)
    if (starts.length < 3) throw busy()
    return act(id, action)
  }
  const { ended } = await restored(here, { overwrite: true })
  expect(ended).toMatchObject({ status: 'succeeded', error: null, warnings: [], stopped: [] })
  expect(starts).toEqual(Array.from({ length: 3 }, () => present(viewer).id))
})

test('202: deploys a stack once another operation of it has ended', async () => {
  const here = await backedUp()
  const { engine } = here
  const { leases } = here.ports
  shortenPauses(here)
  const { observe } = engine
  engine.observe = async (name) => {
    engine.observe = observe
    const lease = present(await leases.acquire('stack:shop', 'p1/other', 60_000))
    setTimeout(() => leases.release(lease), 120)
    return observe(name)
  }
  const { ended } = await restored(here, { overwrite: true })
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
})

test('202: restores only the volumes of one service', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'spoilt')
  await givenVolume(here, 'loose', 'newer')
  const before = await here.ports.stacks.find('shop')
  const service = Object.keys(present(before).services).find(async () => true)
  expect(service).toBeDefined()
  const sources = [{ kind: 'stack', name: 'shop', services: Object.keys(present(before).services) }]
  const { ended } = await restored(here, { sources, overwrite: true })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(await textIn(here, 'loose')).toBe('newer')
  expect(await here.ports.stacks.find('shop')).toEqual(before)
})

test('400: a new name for more than one stack, or invalid sources', async () => {
  const here = await backedUp()
  for (const body of [
    { stack_name: 'copy' },
    { stack_name: 'No Name' },
    { sources: [] },
    { sources: [{ kind: 'file', name: 'x' }] },
    { more: true },
  ]) {
    expect((await restored(here, body)).answer.status, JSON.stringify(body)).toBe(400)
  }
})

test('401 and 403: requires a session and the permissions that the restore needs', async () => {
  const here = await backedUp()
  const path = { id: here.run.id }
  expect((await call(restore, { ports: here.ports, path, body: {} })).status).toBe(401)
  expect((await restored(here, {}, 'viewer')).answer.status).toBe(403)
})

test('403: a restore cannot do what its caller may not do directly', async () => {
  const here = await backupWorld()
  const root = 'services: {a: {image: "busybox:latest", command: sleep 60, privileged: true}}'
  await givenStack(here, 'root', { compose: root })
  const sources = [...everything, { kind: 'stack', name: 'root' }]
  const backup = { ...here, run: await runJob(here, await givenJob(here, { sources })) }
  const refusedTo = async (id: string, permissions: Permission[], body: object) => {
    const all: Permission[] = [...permissions, 'stacks:read', 'volumes:read']
    await here.ports.roles.create({ id, permissions: all, createdAt: 0 })
    const { answer } = await restored(backup, body, { role: id, username: id })
    expect(answer.status, id).toBe(403)
    return answer.json.error
  }
  const [shop, loose, rooted] = sources.map((source) => ({ sources: [source] }))
  const deploys = ['stacks:create', 'stacks:update', 'stacks:deploy', 'stacks:secrets'] as const
  const over = { ...loose, overwrite: true }
  expect(await refusedTo('keeper', ['backups:manage'], present(shop))).toContain('stacks:create')
  expect(await refusedTo('sweeper', ['backups:manage'], over)).toContain('containers:operate')
  const other = { ...rooted, stack_name: 'other' }
  expect(await refusedTo('mover', ['backups:manage', ...deploys], other)).toContain('privileged')
})

test('403: cannot restore the volume of another stack without the right to deploy that stack', async () => {
  const here = await backupWorld()
  await givenStack(here, 'other', { deployed: false })
  const loose = { hostId: 'local', kind: 'volume' as const, name: 'loose' }
  const labels = { 'com.docker.compose.project': 'other' }
  here.engine.state.volumes.set('loose', { name: 'loose', labels })
  const { createdAt: stackCreatedAt } = present(await here.ports.stacks.find('other'))
  await here.ports.owners.claim({ ...loose, stack: 'other', stackCreatedAt, at: 1 })
  const backup = { ...here, run: await runJob(here, await givenJob(here, { sources: everything })) }
  const keeper = await givenRole(here, [
    ...(['backups:manage', 'containers:operate'] as const),
    ...(['stacks:read', 'volumes:read'] as const),
  ])
  const body = { sources: [{ kind: 'volume', name: 'loose' }], overwrite: true }
  const { answer } = await restored(backup, body, keeper)
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume loose: .*another stack/),
  ])
  expect(answer.text).not.toContain('stack other')
  expect((await restored(backup, body, 'operator')).ended?.status).toBe('succeeded')
})

const onlyLoose = { sources: [{ kind: 'volume', name: 'loose' }], overwrite: true }

test('403: a volume that no stack created needs stacks:privileged, or the setting', async () => {
  const here = await backedUp()
  await givenVolume(here, 'loose', 'newer')
  const { answer } = await restored(here, onlyLoose, 'operator')
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume loose: no stack created it: restoring it .*shared_volumes$/),
  ])
  expect(await textIn(here, 'loose')).toBe('newer')
  await here.ports.settings.save({ 'stacks.shared_volumes': ['loose'] })
  expect((await restored(here, onlyLoose, 'operator')).ended?.status).toBe('succeeded')
  await here.ports.settings.save({ 'stacks.shared_volumes': [] })
  expect((await restored(here, onlyLoose, 'admin')).ended?.status).toBe('succeeded')
})

/** Sets up a backup of the stack `wiki`, which joins a network of others. */
async function inNetwork(name: string, labels = {}) {
  const here = await backupWorld()
  here.engine.state.networks.set(name, { id: `id-of-${name}`, name, labels })
  const compose = `services: {app: {image: "busybox:latest", command: sleep 60, networks: [n]}}
networks: {n: {external: true, name: ${name}}}`
  await givenStack(here, 'wiki', { compose })
  const sources = [{ kind: 'stack', name: 'wiki' }]
  return { ...here, run: await runJob(here, await givenJob(here, { sources })) }
}

test('403: a network of another project, before anything is replaced', async () => {
  const here = await inNetwork('proxy_default', { 'com.docker.compose.project': 'proxy' })
  const before = here.engine.executed.length
  const { answer } = await restored(here, { overwrite: true }, 'operator')
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringMatching(/networks\.n: the network proxy_default .*stacks\.shared_networks$/),
  ])
  expect(here.engine.executed).toHaveLength(before)
  await here.ports.settings.save({ 'stacks.shared_networks': ['proxy_default'] })
  const { ended } = await restored(here, { overwrite: true }, 'operator')
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
})

test('202: a stack goes on using a network that has a name of the service', async () => {
  const here = await inNetwork('container-stacks_old')
  const { ended } = await restored(here, { overwrite: true }, 'operator')
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  const copy = await restored(here, { stack_name: 'copy' }, 'operator')
  expect(copy.answer.json.error).toContain('names that begin with container-stacks')
})

test('202: a stack gets back a lost volume that has a name of the service', async () => {
  const here = await backupWorld()
  const compose = `services: {app: {image: "busybox:latest", command: sleep 60, volumes: ["old:/d"]}}
volumes: {old: {name: container-stacks_old}}`
  await givenStack(here, 'wiki', { compose })
  await givenVolume(here, 'container-stacks_old', 'pages')
  await forgetOwners(here, 'wiki')
  const sources = [{ kind: 'stack', name: 'wiki' }]
  const run = await runJob(here, await givenJob(here, { sources }))
  // Docker removes no volume of a container that exists.
  for (const [id, { name }] of here.engine.state.containers) {
    if (name === 'wiki-app-1') here.engine.state.containers.delete(id)
  }
  forget(here, 'container-stacks_old')
  const { ended } = await restored({ ...here, run }, { overwrite: true }, 'operator')
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'container-stacks_old')).toBe('pages')
})

test('403: a volume or a stack that would have a name of the service', async () => {
  const here = await backupWorld()
  await givenVolume(here, 'container-stacks-agent', 'key')
  const sources = [{ kind: 'volume', name: 'container-stacks-agent' }]
  const run = await runJob(here, await givenJob(here, { name: 'volume', sources }))
  here.engine.state.volumes.delete('container-stacks-agent')
  const { answer } = await restored({ ...here, run }, { sources }, 'operator')
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringContaining('names that begin with container-stacks'),
  ])
  const shop = { ...here, run: await runJob(here, await givenJob(here)) }
  const body = { sources: [{ kind: 'stack', name: 'shop' }], stack_name: 'container-stacks-shop' }
  expect((await restored(shop, body, 'operator')).answer.status).toBe(403)
})

test('403: a volume that others created in place of that of a stack', async () => {
  const here = await backedUp()
  here.engine.state.volumes.set('shop_data', { name: 'shop_data', labels: {} })
  const body = { sources: [{ kind: 'volume', name: 'shop_data' }], overwrite: true }
  expect((await restored(here, body, 'operator')).answer.json.error).toContain('no stack')
})

test.each(['operator', 'admin'] as const)(
  '409: no account restores into a volume of the installation: %s',
  async (as) => {
    const here = await backupWorld()
    await givenVolume(here, 'container-stacks_data', 'mine')
    await givenStack(here, 'guest', {
      compose: `services: {a: {image: "busybox:latest", command: sleep 60, volumes: ["vol:/v"]}}
volumes: {vol: {name: container-stacks_data, external: true}}`,
    })
    const alone = { kind: 'volume', name: 'container-stacks_data' }
    const guest = { kind: 'stack', name: 'guest' }
    const run = await runJob(here, await givenJob(here, { sources: [guest] }))
    const other = await runJob(here, await givenJob(here, { name: 'alone', sources: [alone] }))
    await givenInstallation(here)
    await here.ports.settings.save({ 'stacks.shared_volumes': ['container-stacks_data'] })
    for (const [of, source] of [
      [other, alone],
      [run, guest],
      [run, { ...guest, services: ['a'] }],
    ] as const) {
      const body = { sources: [source], overwrite: true }
      const { answer } = await restored({ ...here, run: of }, body, as)
      expect([answer.status, answer.json.error]).toEqual([
        409,
        expect.stringMatching(
          /^volume container-stacks_data: it is a part of this service; .*restore`$/,
        ),
      ])
    }
    expect(await textIn(here, 'container-stacks_data')).toBe('keys')
  },
)

test.each([
  ['operator', '/opt/stacks/shop', false],
  ['admin', '/etc/shop', true],
] as const)(
  '403: only privileged callers can restore into the directory in the backup: %s',
  async (...row) => {
    const [as, directory, adopted] = row
    const here = await backupWorld()
    const placed = { directory: '/etc/shop', adopted: true }
    const stack = present(await here.ports.stacks.find('shop'))
    await here.ports.stacks.replace({ ...stack, ...placed })
    const backup = { ...here, run: await runJob(here, await givenJob(here)) }
    await here.ports.stacks.remove('shop')
    forget(here, 'shop_data')
    here.engine.state.networks.delete('shop_default')
    here.engine.state.files.clear()
    await restored(backup, { sources: [{ kind: 'stack', name: 'shop' }], overwrite: true }, as)
    expect(await here.ports.stacks.find('shop')).toMatchObject({ directory, adopted })
  },
)

test.each(['external: true', 'labels: {}'])(
  'an operator can restore a stack that uses the volume of another stack: %s',
  async (external) => {
    const here = await backupWorld()
    await givenStack(here, 'guest', {
      compose: `services: {a: {image: "busybox:latest", command: sleep 60, volumes: ["vol:/v"]}}
volumes: {vol: {name: shop_data, ${external}}}`,
    })
    const guest = { kind: 'stack', name: 'guest' }
    const run = await runJob(here, await givenJob(here, { sources: [guest] }))
    const { ended } = await restored(
      { ...here, run },
      { sources: [guest], overwrite: true },
      'operator',
    )
    expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
    expect(run.contents.map(({ source }) => source)).toEqual(['guest', 'shop_data'])
    const volume = { hostId: 'local', kind: 'volume', name: 'shop_data' } as const
    expect(await here.ports.owners.find(volume)).toMatchObject({ stack: 'shop' })
  },
)

test('a removed stack restored by an operator under another name owns its volumes', async () => {
  const here = await backedUp()
  const body = { sources: [{ kind: 'stack', name: 'shop' }], stack_name: 'copy' }
  const { ended } = await restored(here, body, 'operator')
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  const volume = { hostId: 'local', kind: 'volume', name: 'copy_data' } as const
  expect(await here.ports.owners.find(volume)).toMatchObject({ stack: 'copy' })
})

test('404: unknown run, host, source or service', async () => {
  const here = await backedUp()
  const { ports } = here
  const none = { ports, as: 'admin', path: { id: 'none' }, body: {} } as const
  expect((await call(restore, none)).status).toBe(404)
  for (const body of [
    { host: 'mars' },
    { sources: [{ kind: 'volume', name: 'other' }] },
    { sources: [{ kind: 'stack', name: 'shop', services: ['none'] }] },
  ]) {
    expect((await restored(here, body)).answer.status, JSON.stringify(body)).toBe(404)
  }
})

test('409: without overwrite changes nothing and names what already exists', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'newer')
  const { answer } = await restored(here, {})
  expect([answer.status, answer.json.error]).toEqual([
    409,
    expect.stringMatching(/stack shop.*volume shop_data.*volume loose/),
  ])
  expect(await textIn(here, 'shop_data')).toBe('newer')
})

test('202: waits until a restore that has ended releases the run', async () => {
  const here = await backedUp()
  const { leases } = here.ports
  const { ended } = await restored(here, { overwrite: true })
  const lease = await leases.acquire(`backup-run:${here.run.id}`, `p1/${present(ended).id}`, 60_000)
  setTimeout(() => leases.release(present(lease)), 120)
  const again = await restored(here, { overwrite: true })
  expect([again.answer.status, again.ended]).toMatchObject([202, { status: 'succeeded' }])
})

test('409: the run made no backup, or the backup is being read', async () => {
  const here = await backedUp()
  const { ports, run } = here
  await ports.leases.acquire(`backup-run:${run.id}`, 'somebody', 60_000)
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
  await ports.backupRuns.save({ ...run, sha256: null })
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
})

test('409: does not wait while the backup is being removed', async () => {
  const here = await backedUp()
  const { leases } = here.ports
  const lease = await leases.acquire(
    `backup-run:${here.run.id}`,
    `p1/remove ${here.run.id}`,
    60_000,
  )
  setTimeout(() => leases.release(present(lease)), 120)
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
})

test('409: the stack is on another host than that of the restore', async () => {
  const here = await backedUp()
  await givenHost(here, 'far')
  const { answer } = await restored(here, { host: 'far', overwrite: true })
  const error = `stack shop: it is on the host ${localHost.name}`
  expect([answer.status, answer.json.error]).toEqual([409, error])
})

test('409: does not name a reader whose host is out of scope', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  await givenHost(here, 'far')
  await ports.backupRuns.create({ ...run, id: 'r9', kind: 'restore', hostId: 'far' })
  await ports.leases.acquire(`backup-run:${run.id}`, 'p1/r9', 60_000)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const { answer } = await restored(here, { overwrite: true }, limited)
  expect([answer.status, answer.json.error]).toEqual([409, expect.not.stringMatching(/far/i)])
})

test('422: the state of the service, a changed manifest, or a missing one', async () => {
  const here = await backedUp({ sources: [{ kind: 'system' }] })
  const refused = await restored(here, {})
  expect([refused.answer.status, refused.answer.json.error]).toEqual([
    422,
    expect.stringContaining('npm run restore'),
  ])
  const other = await backedUp()
  const { objects } = other.ports.backupTargets
  const name = present([...objects.keys()].find((one) => one.includes('manifest.json')))
  objects.set(name, Buffer.from(String(objects.get(name)).replace('shop', 'ship')))
  expect((await restored(other, {})).answer.status).toBe(422)
  objects.delete(name)
  expect((await restored(other, {})).answer.status).toBe(422)
})

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, -1024)],
  [
    'changed',
    (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 600 ? byte ^ 1 : byte))),
  ],
])(
  'changes nothing and reports the reason if a volume in the backup was %s',
  async (_what, spoil) => {
    const here = await backedUp()
    await givenVolume(here, 'shop_data', 'newer')
    const { objects } = here.ports.backupTargets
    const name = present([...objects.keys()].find((one) => one.includes('volume-shop_data')))
    objects.set(name, spoil(present(objects.get(name))))
    const { ended } = await restored(here, { overwrite: true })
    expect(ended?.status).toBe('failed')
    expect(ended?.error).toMatch(/volume-shop_data.*(cut short|differs).*nothing was changed/)
    expect(await textIn(here, 'shop_data')).toBe('newer')
    expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
  },
)

test('rolls back a restore that fails midway', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'newer')
  await givenVolume(here, 'loose', 'newer too')
  const { clearPlace } = here.engine
  let calls = 0
  const engine = here.engine as { clearPlace: typeof clearPlace }
  engine.clearPlace = async (place, ...more) => {
    calls += 1
    // The second place to be cleared. The first has been restored by then.
    if (calls === 2) throw new Error('the host is cut')
    return clearPlace(place, ...more)
  }
  const { ended } = await restored(here, { overwrite: true })
  expect(ended).toMatchObject({
    status: 'failed',
    stopped: [],
    error: expect.stringContaining('restored to its previous state'),
  })
  expect([await textIn(here, 'shop_data'), await textIn(here, 'loose')]).toEqual([
    ...['newer', 'newer too'],
  ])
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

/** Makes every call to the Engine fail until the returned function is called. */
function away({ engine }: BackupWorld): () => void {
  const names = [
    'volumes',
    'removeArchiveHelpers',
    'container',
    'execute',
    'readArchive',
    'writeArchive',
    'clearPlace',
  ] as const
  const methods = Object.fromEntries(names.map((name) => [name, engine[name]]))
  const refuse = () => {
    throw new Failure(500, 'host far is offline')
  }
  const cut = engine as unknown as Record<string, unknown>
  for (const name of names) cut[name] = async () => refuse()
  cut.readArchive = refuse
  return () => void Object.assign(engine, methods)
}

test('rolls back once when a host that was disconnected midway is back', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'newer')
  await givenVolume(here, 'loose', 'newer too')
  const { clearPlace } = here.engine
  let calls = 0
  let comeBack = () => {}
  const engine = here.engine as { clearPlace: typeof clearPlace }
  engine.clearPlace = async (place, ...more) => {
    calls += 1
    if (calls < 2) return clearPlace(place, ...more)
    engine.clearPlace = clearPlace
    comeBack = away(here)
    throw new Failure(500, 'host far is offline')
  }
  const { ended } = await restored(here, { overwrite: true })
  expect(ended).toMatchObject({ status: 'failed', leftOnHost: true })
  expect(ended?.error).toMatch(
    /^host far is offline; .*not be undone.*: this will be retried; .*volumes/,
  )
  const recovering = recover.with(here.ports)
  await recovering()
  const still = await here.ports.backupRuns.find(present(ended).id)
  expect(still).toMatchObject({ leftOnHost: true, error: present(ended).error })
  comeBack()
  const { answer } = await restored(here, { overwrite: true })
  expect([answer.status, answer.json.error]).toEqual([
    409,
    expect.stringMatching(/: another restore of it is running or being undone/),
  ])
  await recovering()
  const over = await here.ports.backupRuns.find(present(ended).id)
  expect(over).toMatchObject({ status: 'failed', leftOnHost: false })
  expect(over?.error).toBe(`${present(ended).error}; later: everything is in its previous state`)
  expect([await textIn(here, 'shop_data'), await textIn(here, 'loose')]).toEqual([
    ...['newer', 'newer too'],
  ])
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
  await givenVolume(here, 'shop_data', 'newest')
  await recovering()
  expect(await textIn(here, 'shop_data')).toBe('newest')
})

test('a killed restore whose host is away is ended when it is back, with one warning an hour', async () => {
  const here = await backedUp()
  const { ports, engine } = here
  const journal = { phase: 'filling' as const, made: [], moved: [] }
  await givenRestore(here, journal)
  engine.offline = internalError('host local: its agent is offline')
  const warnings = () =>
    ports.log.lines.filter(
      ({ level, message }) => level !== 'info' && message.includes('a restore'),
    ).length
  for (let times = 0; times < 3; times += 1) await recover.with(ports)()
  expect(warnings()).toBe(2)
  ports.clock.advance(3_600_000)
  await recover.with(ports)()
  expect(warnings()).toBe(4)
  engine.offline = undefined
  await recover.with(ports)()
  expect(await ports.backupRuns.find('r9')).toMatchObject({ status: 'interrupted' })
})

test('a killed restore ends when its host was removed', async () => {
  const here = await backedUp()
  const { ports } = here
  const journal = { phase: 'replacing' as const, made: [], moved: [] }
  const run = present(await ports.backupRuns.find(here.run.id))
  const gone = { ...run, kind: 'restore' as const, hostId: 'gone', journal }
  await ports.backupRuns.create({ ...gone, id: 'r8', status: 'failed', leftOnHost: true })
  await ports.backupRuns.create({ ...gone, id: 'r9', status: 'running' })
  await recover.with(ports)()
  expect(await ports.backupRuns.find('r8')).toMatchObject({ status: 'failed', leftOnHost: false })
  expect(await ports.backupRuns.find('r9')).toMatchObject({
    status: 'interrupted',
    leftOnHost: false,
    error: 'the service ended while this was running; its host was removed',
  })
})

test('does not roll back again what was rolled back already', async () => {
  const here = await backedUp()
  const { ports, engine } = here
  const labels = { 'container-stacks.restore': 'r9', 'container-stacks.restore.purpose': 'before' }
  await givenVolume(here, 'aside', 'newer')
  engine.state.volumes.set('aside', { name: 'aside', labels })
  await givenVolume(here, 'shop_data', 'newest')
  const moved = [
    { place: { kind: 'volume', name: 'shop_data' } as const, aside: 'gone', isWhole: true },
  ]
  await givenRestore(
    here,
    { phase: 'replacing', made: [], moved },
    { status: 'failed', leftOnHost: true },
  )
  await recover.with(ports)()
  expect(await textIn(here, 'shop_data')).toBe('newest')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test.each([
  ['still runs', 'another restore of it is running', true],
  ['has ended', 'already exists', false],
])(
  '409: two restores start together into the same missing volume; one %s',
  async (_, text, held) => {
    const here = await backedUp()
    const { ports, engine } = here
    const { writeArchive } = engine
    let letGo = () => {}
    const holding = new Promise<void>((resolve) => {
      letGo = resolve
    })
    engine.writeArchive = async (...given) => {
      if (held) await holding
      return writeArchive(...given)
    }
    const other = await runJob(here, await givenJob(here, { sources: everything, name: 'other' }))
    forget(here, 'loose')
    const body = { sources: [{ kind: 'volume', name: 'loose' }] }
    const starts = [here.run.id, other.id].map((id) =>
      call(restore, { ports, as: 'admin', path: { id }, body }),
    )
    const answers = await Promise.all(starts)
    letGo()
    await ports.background.settled()
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.json.error).toContain(`volume loose: ${text}`)
    expect(await textIn(here, 'loose')).toBe('photos')
  },
)

test('a killed restore that cannot be undone says so once and is retried until it is', async () => {
  const here = await backedUp()
  const { ports, engine } = here
  const labels = { 'container-stacks.restore': 'r9', 'container-stacks.restore.purpose': 'before' }
  await givenVolume(here, 'aside', 'newer')
  engine.state.volumes.set('aside', { name: 'aside', labels })
  const place = { kind: 'volume', name: 'shop_data' } as const
  await givenRestore(here, {
    phase: 'replacing',
    made: [],
    moved: [{ place, aside: 'aside', isWhole: true }],
  })
  const { clearPlace } = engine
  engine.clearPlace = async () => {
    throw new Failure(500, 'no space left on device')
  }
  await recover.with(ports)()
  const failed = await ports.backupRuns.find('r9')
  expect(failed).toMatchObject({ status: 'interrupted', leftOnHost: true })
  expect(failed?.error).toMatch(
    /not be undone yet \(no space left on device\): this will be retried; .* volumes aside$/,
  )
  await recover.with(ports)()
  expect((await ports.backupRuns.find('r9'))?.error).toBe(failed?.error)
  engine.clearPlace = clearPlace
  await recover.with(ports)()
  expect(await ports.backupRuns.find('r9')).toMatchObject({
    leftOnHost: false,
    error: `${failed?.error}; later: everything is in its previous state`,
  })
  expect(await textIn(here, 'shop_data')).toBe('newer')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test.each([
  ['filling', 'everything is in its previous state'],
  ['replacing', 'everything is in its previous state'],
  ['deploying', 'everything is restored'],
] as const)(
  'another process completes a restore whose process died while it was %s',
  async (phase, words) => {
    const here = await backedUp()
    const { ports, engine } = here
    const aside = 'shop_data_before_x'
    const labels = (purpose: string) => ({
      'container-stacks.restore': 'r9',
      'container-stacks.restore.purpose': purpose,
    })
    await givenVolume(here, aside, 'newer')
    engine.state.volumes.set(aside, { name: aside, labels: labels('before') })
    engine.state.volumes.set('staged', { name: 'staged', labels: labels('staged') })
    await givenVolume(here, 'made', 'half')
    const place = { kind: 'volume', name: 'shop_data' } as const
    const moved = phase === 'filling' ? [] : [{ place, aside, isWhole: true }]
    await givenRestore(here, { phase, made: ['made'], moved })
    await recover.with(ports)()
    const run = await ports.backupRuns.find('r9')
    expect(run).toMatchObject({ status: 'interrupted', error: expect.stringContaining(words) })
    const isInPlace = phase === 'deploying'
    expect(await textIn(here, 'shop_data')).toBe(phase === 'replacing' ? 'newer' : 'orders')
    expect(volumesOf(here)).toEqual([
      ...['loose', ...(isInPlace ? ['made'] : []), 'shop_data', ...(isInPlace ? [aside] : [])],
    ])
  },
)

test.each(['shop', 'copy'])(
  'a failed restore of a stack as %s leaves the stack records unchanged',
  async (stackName) => {
    const here = await backedUp()
    const { ports } = here
    await givenVolume(here, 'shop_data', 'newer')
    const compose = `${shop}# newer\n`
    await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body: { compose } })
    const before = await ports.stacks.list()
    const { save } = ports.backupRuns
    let isRestored = false
    ports.backupRuns.save = async (run) => {
      if (run.journal?.phase !== 'deploying') return save(run)
      isRestored = (await ports.stacks.find(stackName))?.filesFrom === run.id
      throw internalError('The store does not respond')
    }
    const sources = [{ kind: 'stack', name: 'shop' }]
    const { ended } = await restored(here, { sources, stack_name: stackName, overwrite: true })
    expect([isRestored, ended?.status]).toEqual([true, 'failed'])
    expect(ended?.error).toContain('everything was restored to its previous state')
    expect(await textIn(here, 'shop_data')).toBe('newer')
    expect((await ports.stacks.list()).map(withoutRevision)).toEqual(before.map(withoutRevision))
  },
)

test('a failed restore of a deleted stack leaves its volume to the account that left it', async () => {
  const here = await backedUp()
  const { ports } = here
  await call(removeStack, { ports, as: 'operator', path: { name: 'shop' } })
  const volume = { hostId: 'local', kind: 'volume', name: 'shop_data' } as const
  const left = await ports.owners.find(volume)
  expect(left?.leftBy).toMatchObject({ name: 'operator' })
  const { save } = ports.backupRuns
  let during: unknown
  ports.backupRuns.save = async (run) => {
    if (run.journal?.phase !== 'deploying') return save(run)
    during = (await ports.owners.find(volume))?.leftBy
    throw internalError('The store does not respond')
  }
  const body = { sources: [{ kind: 'stack', name: 'shop' }], overwrite: true }
  const { ended } = await restored(here, body, 'operator')
  expect([ended?.status, during]).toEqual(['failed', undefined])
  expect(await ports.stacks.find('shop')).toBeUndefined()
  expect(await ports.owners.find(volume)).toEqual(left)
  ports.backupRuns.save = save
  const again = await restored(here, body, 'operator')
  expect([again.ended?.status, again.ended?.error]).toEqual(['succeeded', null])
  expect((await ports.owners.find(volume))?.leftBy).toBeUndefined()
})

test('recovery of a restore leaves the volumes of a stack that was changed since', async () => {
  const here = await backedUp()
  const { ports } = here
  const volume = { hostId: 'local', kind: 'volume', name: 'shop_data' } as const
  const owner = present(await ports.owners.find(volume))
  const earlier = { ...owner, stackCreatedAt: -1, leftBy: { id: 'a1', name: 'ada' } }
  const stacks = [{ name: 'shop', before: null, volumes: [{ name: 'shop_data', owner: earlier }] }]
  await givenRestore(here, { phase: 'replacing', made: [], moved: [], stacks })
  await recover.with(ports)()
  expect(await ports.owners.find(volume)).toEqual(owner)
})

test('a failed restore keeps the earlier revisions of a stack that has twenty', async () => {
  const here = await backedUp()
  const { ports } = here
  for (let at = 0; at < 22; at++) {
    const body = { compose: `${shop}# ${at}\n` }
    await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body })
  }
  const before = present(await ports.stacks.find('shop'))
  expect(before.earlier).toHaveLength(19)
  const { save } = ports.backupRuns
  ports.backupRuns.save = async (run) => {
    if (run.journal?.phase !== 'deploying') return save(run)
    throw internalError('The store does not respond')
  }
  const sources = [{ kind: 'stack', name: 'shop' }]
  const { ended } = await restored(here, { sources, overwrite: true })
  expect(ended?.status).toBe('failed')
  expect(JSON.stringify(ended?.journal?.stacks?.[0]?.before).length).toBeLessThan(3000)
  expect((await ports.stacks.find('shop'))?.earlier).toEqual(before.earlier)
})

test('recovery of a restore keeps later changes to a stack', async () => {
  const here = await backedUp()
  const { ports } = here
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, filesFrom: 'r9', contentRevision: 2 })
  const compose = `${shop}# newest\n`
  await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body: { compose } })
  const edited = await ports.stacks.find('shop')
  await givenRestore(here, {
    phase: 'replacing',
    made: [],
    moved: [],
    stacks: [{ name: 'shop', before: stack }],
  })
  await recover.with(ports)()
  expect(withoutRevision(present(await ports.stacks.find('shop')))).toEqual(
    withoutRevision(present(edited)),
  )
})

test('recovery of a restore undoes its changes to the records of stacks', async () => {
  const here = await backedUp()
  const { ports } = here
  const stack = present(await ports.stacks.find('shop'))
  await ports.stacks.replace({ ...stack, filesFrom: 'r9', contentRevision: 2, written: null })
  await ports.stacks.create({ ...stack, id: 'copy', filesFrom: 'r9', last: null })
  await ports.stacks.create({ ...stack, id: 'other', last: null })
  const stacks = [
    { name: 'shop', before: stack },
    { name: 'copy', before: null },
    { name: 'other', before: null },
  ]
  await givenRestore(here, { phase: 'replacing', made: [], moved: [], stacks })
  await recover.with(ports)()
  expect((await ports.stacks.list()).map(({ id }) => id)).toEqual(['other', 'shop'])
  expect(withoutRevision(present(await ports.stacks.find('shop')))).toEqual(withoutRevision(stack))
})

const withoutRevision = (stack: Stored<StackRecord>) =>
  JSON.parse(JSON.stringify({ ...stack, revision: undefined }))

test('200: verifies a complete backup and names the faults of another', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const ask = () => call(verify, { ports, as: 'operator', path: { id: run.id } })
  expect((await ask()).json).toMatchObject({ ok: true, files: 4, problems: [] })
  const { objects } = ports.backupTargets
  const [stack, volume] = ['stack-shop', 'volume-loose'].map((part) =>
    present([...objects.keys()].find((one) => one.includes(part))),
  )
  objects.delete(present(stack))
  objects.set(present(volume), present(objects.get(present(volume))).subarray(0, 512))
  const { status, json } = await ask()
  expect([status, json.ok, json.problems]).toEqual([
    200,
    false,
    [expect.stringMatching(/stack-shop.*missing/), expect.stringMatching(/volume-loose.*cut/)],
  ])
})

test('404 and 409: unknown run, or a run that made no backup', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const ask = (id: string) => call(verify, { ports, as: 'operator', path: { id } })
  expect((await ask('none')).status).toBe(404)
  await ports.backupRuns.save({ ...run, sha256: null })
  expect((await ask(run.id)).status).toBe(409)
})

test('403: an operator restores no stack over files of others in its directory', async () => {
  const here = await backupWorld()
  const sources = [{ kind: 'stack', name: 'shop' }]
  const run = await runJob(here, await givenJob(here, { sources }))
  const path = '/opt/stacks/copy'
  await here.engine.writeFiles(path, [
    { path: 'secret', content: Buffer.from('of others'), mode: 0o600 },
  ])
  const body = { sources, stack_name: 'copy', overwrite: true }
  const { answer } = await restored({ ...here, run }, body, 'operator')
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('files of no stack')])
  expect(here.engine.state.files.has(`${path}/secret`)).toBe(true)
  expect((await restored({ ...here, run }, body, 'admin')).answer.status).toBe(202)
})

test('200: with wait=true returns the restore as it ended', async () => {
  const here = await backedUp()
  const { ports } = here
  const asked = { ports, as: 'admin' as const, path: { id: here.run.id }, query: { wait: true } }
  const { status, json, headers } = await call(restore, { ...asked, body: { overwrite: true } })
  expect([status, json.kind, json.status]).toEqual([200, 'restore', 'succeeded'])
  expect(headers['x-operation-id']).toBe(json.id)
})
