import { expect, test } from 'vitest'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  givenVolume,
  ranJob,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import type { As } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, shop } from '../../local/harness/world.ts'
import type { Permission } from '../core/access/permissions.ts'
import type { Stored } from '../core/collection.ts'
import { broken, Failure } from '../core/errors.ts'
import type { StackRecord } from '../core/stacks/stack.ts'
import { tarEntries } from '../core/tar/entries.ts'
import updateStack from '../stacks/update.ts'
import recover from './recover.ts'
import restore from './restore.ts'
import verify from './verify.ts'

const everything = [
  { kind: 'stack', name: 'shop' },
  { kind: 'volume', name: 'loose' },
]

/** Sets up a backup of the stack and the loose volume, and returns its run. */
async function backedUp(more: object = {}) {
  const here = await backupWorld()
  const run = await ranJob(here, await givenJob(here, { sources: everything, ...more }))
  return { ...here, run }
}

async function restored(
  here: BackupWorld & { run: { id: string } },
  body: object,
  as: As = 'admin',
) {
  const { ports, run } = here
  const answer = await call(restore, { ports, as, path: { id: run.id }, body })
  await ports.background.settled()
  const ended = answer.status === 202 ? await ports.backupRuns.find(answer.json.id) : undefined
  return { answer, ended }
}

/** Returns the text of a volume's only file. */
async function textIn({ engine }: BackupWorld, name: string): Promise<string | undefined> {
  const archive = engine.state.archives.get(`volume ${name}`)
  if (!archive) return undefined
  async function* bytes() {
    yield archive!
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

test('202: a volume that is gone is made and filled', async () => {
  const here = await backedUp()
  forget(here, 'loose')
  const sources = [{ kind: 'volume', name: 'loose' }]
  const { answer, ended } = await restored(here, { sources }, 'operator')
  expect(answer.json).toMatchObject({ kind: 'restore', status: 'running', restores: here.run.id })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'loose')).toBe('photos')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test('202: a stack under another name has volumes of its own, and runs', async () => {
  const here = await backedUp()
  const sources = [{ kind: 'stack', name: 'shop' }]
  const { ended } = await restored(here, { sources, stack_name: 'copy' })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'copy_data')).toBe('orders')
  expect(await here.ports.stacks.find('copy')).toMatchObject({
    ...{ directory: '/opt/stacks/copy', deployed: true, last: { status: 'succeeded' } },
  })
  expect(volumesOf(here)).toEqual(['copy_data', 'loose', 'shop_data'])
})

test('202: with overwrite what was there is replaced, and nothing is left beside it', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'spoilt')
  const { ended } = await restored(here, { overwrite: true })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test('202: the volumes of one service alone', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'spoilt')
  await givenVolume(here, 'loose', 'newer')
  const before = await here.ports.stacks.find('shop')
  const service = Object.keys(before!.services).find(async () => true)
  expect(service).toBeDefined()
  const sources = [{ kind: 'stack', name: 'shop', services: Object.keys(before!.services) }]
  const { ended } = await restored(here, { sources, overwrite: true })
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  expect(await textIn(here, 'shop_data')).toBe('orders')
  expect(await textIn(here, 'loose')).toBe('newer')
  expect(await here.ports.stacks.find('shop')).toEqual(before)
})

test('400: a name for more than one stack, and sources that are none', async () => {
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

test('401 and 403: nobody, and who may not do what a restore does', async () => {
  const here = await backedUp()
  const path = { id: here.run.id }
  expect((await call(restore, { ports: here.ports, path, body: {} })).status).toBe(401)
  expect((await restored(here, {}, 'viewer')).answer.status).toBe(403)
})

test('403: who may not do by himself what the restore does for him', async () => {
  const here = await backupWorld()
  const root = 'services: {a: {image: "busybox:latest", command: sleep 60, privileged: true}}'
  await givenStack(here, 'root', { compose: root })
  const sources = [...everything, { kind: 'stack', name: 'root' }]
  const backup = { ...here, run: await ranJob(here, await givenJob(here, { sources })) }
  const refusedTo = async (id: string, permissions: Permission[], body: object) => {
    await here.ports.roles.create({ id, permissions, createdAt: 0 })
    const { answer } = await restored(backup, body, { role: id, username: id })
    expect(answer.status, id).toBe(403)
    return answer.json.error
  }
  const [shop, loose, rooted] = sources.map((source) => ({ sources: [source] }))
  const deploys = ['stacks:create', 'stacks:update', 'stacks:deploy', 'stacks:secrets'] as const
  const over = { ...loose, overwrite: true }
  expect(await refusedTo('keeper', ['backups:manage'], shop!)).toContain('stacks:create')
  expect(await refusedTo('sweeper', ['backups:manage'], over)).toContain('containers:operate')
  const other = { ...rooted, stack_name: 'other' }
  expect(await refusedTo('mover', ['backups:manage', ...deploys], other)).toContain('privileged')
})

test('403: restores a volume of another stack, without the right to deploy that', async () => {
  const here = await backedUp()
  await givenStack(here, 'other', { deployed: false })
  const loose = { hostId: 'local', kind: 'volume' as const, name: 'loose' }
  await here.ports.owners.claim({ ...loose, stack: 'other', at: 1 })
  const permissions: Permission[] = ['backups:manage', 'containers:operate']
  await here.ports.roles.create({ id: 'keeper', permissions, createdAt: 0 })
  const body = { sources: [{ kind: 'volume', name: 'loose' }], overwrite: true }
  const { answer } = await restored(here, body, { role: 'keeper', username: 'keeper' })
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringMatching(/^volume loose: .*another stack/),
  ])
  expect(answer.text).not.toContain('stack other')
  expect((await restored(here, body, 'operator')).ended?.status).toBe('succeeded')
})

test.each([
  ['operator', '/opt/stacks/shop', false],
  ['admin', '/etc/shop', true],
] as const)(
  'a directory that a backup names is used for the privileged alone: %s',
  async (...row) => {
    const [as, directory, adopted] = row
    const here = await backupWorld()
    const placed = { directory: '/etc/shop', adopted: true }
    const stack = (await here.ports.stacks.find('shop'))!
    await here.ports.stacks.replace({ ...stack, ...placed })
    const backup = { ...here, run: await ranJob(here, await givenJob(here)) }
    await here.ports.stacks.remove('shop')
    forget(here, 'shop_data')
    await restored(backup, { sources: [{ kind: 'stack', name: 'shop' }], overwrite: true }, as)
    expect(await here.ports.stacks.find('shop')).toMatchObject({ directory, adopted })
  },
)

test.each(['external: true', 'labels: {}'])(
  'an operator’s restore brings up a stack that uses a volume of another: %s',
  async (external) => {
    const here = await backupWorld()
    await givenStack(here, 'guest', {
      compose: `services: {a: {image: "busybox:latest", command: sleep 60, volumes: ["vol:/v"]}}
volumes: {vol: {name: shop_data, ${external}}}`,
    })
    const guest = { kind: 'stack', name: 'guest' }
    const run = await ranJob(here, await givenJob(here, { sources: [guest] }))
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

test('an operator’s restore of a removed stack under another name owns its volumes', async () => {
  const here = await backedUp()
  const body = { sources: [{ kind: 'stack', name: 'shop' }], stack_name: 'copy' }
  const { ended } = await restored(here, body, 'operator')
  expect([ended?.status, ended?.error]).toEqual(['succeeded', null])
  const volume = { hostId: 'local', kind: 'volume', name: 'copy_data' } as const
  expect(await here.ports.owners.find(volume)).toMatchObject({ stack: 'copy' })
})

test('404: no such run, host, source or service', async () => {
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

test('409: without overwrite nothing is touched, and what is in the way is named', async () => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'newer')
  const { answer } = await restored(here, {})
  expect([answer.status, answer.json.error]).toEqual([
    409,
    expect.stringMatching(/stack shop.*volume shop_data.*volume loose/),
  ])
  expect(await textIn(here, 'shop_data')).toBe('newer')
})

test('202: also while a restore of it that has ended still gives it back', async () => {
  const here = await backedUp()
  const { leases } = here.ports
  const { ended } = await restored(here, { overwrite: true })
  const lease = await leases.acquire(`backup-run:${here.run.id}`, `p1/${ended!.id}`, 60_000)
  setTimeout(() => leases.release(lease!), 120)
  expect((await restored(here, { overwrite: true })).answer.status).toBe(202)
})

test('409: a run that made no backup, and one that somebody reads', async () => {
  const here = await backedUp()
  const { ports, run } = here
  await ports.leases.acquire(`backup-run:${run.id}`, 'somebody', 60_000)
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
  await ports.backupRuns.save({ ...run, sha256: null })
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
})

test('409: a backup that is being removed is not waited for', async () => {
  const here = await backedUp()
  const { leases } = here.ports
  const lease = await leases.acquire(
    `backup-run:${here.run.id}`,
    `p1/remove ${here.run.id}`,
    60_000,
  )
  setTimeout(() => leases.release(lease!), 120)
  expect((await restored(here, { overwrite: true })).answer.status).toBe(409)
})

test('409: a run that somebody reads for a host out of the caller’s scope, of which nothing is said', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const local = (await ports.hosts.find('local'))!
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  await givenHost(here, 'far')
  await ports.backupRuns.create({ ...run, id: 'r9', kind: 'restore', hostId: 'far' })
  await ports.leases.acquire(`backup-run:${run.id}`, 'p1/r9', 60_000)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const { answer } = await restored(here, { overwrite: true }, limited)
  expect([answer.status, answer.json.error]).toEqual([409, expect.not.stringContaining('far')])
})

test('422: the state of the service, a manifest that was changed, and one that is gone', async () => {
  const here = await backedUp({ sources: [{ kind: 'system' }] })
  const refused = await restored(here, {})
  expect([refused.answer.status, refused.answer.json.error]).toEqual([
    422,
    expect.stringContaining('npm run restore'),
  ])
  const other = await backedUp()
  const { objects } = other.ports.backupTargets
  const name = [...objects.keys()].find((one) => one.includes('manifest.json'))!
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
])('a volume that was %s in the backup changes nothing and says why', async (_what, spoil) => {
  const here = await backedUp()
  await givenVolume(here, 'shop_data', 'newer')
  const { objects } = here.ports.backupTargets
  const name = [...objects.keys()].find((one) => one.includes('volume-shop_data'))!
  objects.set(name, spoil(objects.get(name)!))
  const { ended } = await restored(here, { overwrite: true })
  expect(ended?.status).toBe('failed')
  expect(ended?.error).toMatch(/volume-shop_data.*(cut short|differs).*nothing was changed/)
  expect(await textIn(here, 'shop_data')).toBe('newer')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test('what fails in the middle is put back as it was', async () => {
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
    ...{ status: 'failed', stopped: [] },
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
    'tidyArchives',
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

test('a host that is cut off in the middle is put right when it is back, and once', async () => {
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
  const still = await here.ports.backupRuns.find(ended!.id)
  expect(still).toMatchObject({ leftOnHost: true, error: ended!.error })
  comeBack()
  const { answer } = await restored(here, { overwrite: true })
  expect([answer.status, answer.json.error]).toEqual([
    409,
    expect.stringMatching(/: another restore of it is running or being undone/),
  ])
  await recovering()
  const over = await here.ports.backupRuns.find(ended!.id)
  expect(over).toMatchObject({ status: 'failed', leftOnHost: false })
  expect(over?.error).toBe(`${ended!.error}; later: everything is in its previous state`)
  expect([await textIn(here, 'shop_data'), await textIn(here, 'loose')]).toEqual([
    ...['newer', 'newer too'],
  ])
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
  await givenVolume(here, 'shop_data', 'newest')
  await recovering()
  expect(await textIn(here, 'shop_data')).toBe('newest')
})

test('what was put back already is not put back again when only the rest is left to do', async () => {
  const here = await backedUp()
  const { ports, engine } = here
  const labels = { 'container-stacks.restore': 'r9', 'container-stacks.restore.purpose': 'before' }
  await givenVolume(here, 'aside', 'newer')
  engine.state.volumes.set('aside', { name: 'aside', labels })
  await givenVolume(here, 'shop_data', 'newest')
  const moved = [
    { place: { kind: 'volume', name: 'shop_data' } as const, aside: 'gone', isWhole: true },
  ]
  await ports.backupRuns.create({
    ...(await ports.backupRuns.find(here.run.id))!,
    ...{ id: 'r9', kind: 'restore', status: 'failed', leftOnHost: true },
    journal: { phase: 'replacing', made: [], moved },
  })
  await recover.with(ports)()
  expect(await textIn(here, 'shop_data')).toBe('newest')
  expect(volumesOf(here)).toEqual(['loose', 'shop_data'])
})

test.each([
  ['filling', 'everything is in its previous state'],
  ['replacing', 'everything is in its previous state'],
  ['deploying', 'everything is restored'],
] as const)(
  'a restore whose process died while it was %s is ended by another',
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
    await ports.backupRuns.create({
      ...(await ports.backupRuns.find(here.run.id))!,
      ...{
        id: 'r9',
        kind: 'restore',
        status: 'running',
        journal: { phase, made: ['made'], moved },
      },
    })
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
  'a restore of a stack as %s that does not end leaves the records of stacks as they were',
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
      throw broken('The store does not answer')
    }
    const sources = [{ kind: 'stack', name: 'shop' }]
    const { ended } = await restored(here, { sources, stack_name: stackName, overwrite: true })
    expect([isRestored, ended?.status]).toEqual([true, 'failed'])
    expect(ended?.error).toContain('everything was restored to its previous state')
    expect(await textIn(here, 'shop_data')).toBe('newer')
    expect((await ports.stacks.list()).map(withoutRevision)).toEqual(before.map(withoutRevision))
  },
)

test('recovery of a restore keeps changes of a stack that came after those of the restore', async () => {
  const here = await backedUp()
  const { ports } = here
  const stack = (await ports.stacks.find('shop'))!
  await ports.stacks.replace({ ...stack, filesFrom: 'r9', contentRevision: 2 })
  const compose = `${shop}# newest\n`
  await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body: { compose } })
  const edited = await ports.stacks.find('shop')
  await ports.backupRuns.create({
    ...(await ports.backupRuns.find(here.run.id))!,
    ...{ id: 'r9', kind: 'restore', status: 'running' },
    journal: { phase: 'replacing', made: [], moved: [], stacks: [{ name: 'shop', before: stack }] },
  })
  await recover.with(ports)()
  expect(withoutRevision((await ports.stacks.find('shop'))!)).toEqual(withoutRevision(edited!))
})

test('recovery of a restore undoes what it changed in the records of stacks', async () => {
  const here = await backedUp()
  const { ports } = here
  const stack = (await ports.stacks.find('shop'))!
  await ports.stacks.replace({ ...stack, filesFrom: 'r9', contentRevision: 2, written: null })
  await ports.stacks.create({ ...stack, id: 'copy', filesFrom: 'r9', last: null })
  await ports.stacks.create({ ...stack, id: 'other', last: null })
  const stacks = [
    { name: 'shop', before: stack },
    { name: 'copy', before: null },
    { name: 'other', before: null },
  ]
  await ports.backupRuns.create({
    ...(await ports.backupRuns.find(here.run.id))!,
    ...{ id: 'r9', kind: 'restore', status: 'running' },
    journal: { phase: 'replacing', made: [], moved: [], stacks },
  })
  await recover.with(ports)()
  expect((await ports.stacks.list()).map(({ id }) => id)).toEqual(['other', 'shop'])
  expect(withoutRevision((await ports.stacks.find('shop'))!)).toEqual(withoutRevision(stack))
})

const withoutRevision = (stack: Stored<StackRecord>) =>
  JSON.parse(JSON.stringify({ ...stack, revision: undefined }))

test('200: a whole backup is verified, and what is wrong with another is named', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const ask = () => call(verify, { ports, as: 'operator', path: { id: run.id } })
  expect((await ask()).json).toMatchObject({ ok: true, files: 4, problems: [] })
  const { objects } = ports.backupTargets
  const [stack, volume] = ['stack-shop', 'volume-loose'].map(
    (part) => [...objects.keys()].find((one) => one.includes(part))!,
  )
  objects.delete(stack!)
  objects.set(volume!, objects.get(volume!)!.subarray(0, 512))
  const { status, json } = await ask()
  expect([status, json.ok, json.problems]).toEqual([
    200,
    false,
    [expect.stringMatching(/stack-shop.*missing/), expect.stringMatching(/volume-loose.*cut/)],
  ])
})

test('404 and 409: a run that is not there, and one that made nothing', async () => {
  const here = await backedUp()
  const { ports, run } = here
  const ask = (id: string) => call(verify, { ports, as: 'operator', path: { id } })
  expect((await ask('none')).status).toBe(404)
  await ports.backupRuns.save({ ...run, sha256: null })
  expect((await ask(run.id)).status).toBe(409)
})
