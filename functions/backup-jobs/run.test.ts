import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  givenVolume,
  runJob,
  storedFiles,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenQueue } from '../../local/harness/full-queue.ts'
import { givenContainer, givenStack } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import sweep from '../retention/sweep.ts'
import get from './get.ts'
import run from './run.ts'

const hour = 3_600_000

const objectsOf = ({ ports }: BackupWorld) =>
  [...ports.backupTargets.objects.keys()].map((name) => name.split('/').slice(2).join('/'))

const statesOf = ({ engine }: BackupWorld) =>
  [...engine.state.containers.values()].map(({ name, state }) => `${name} ${state}`).sort()

test('202: leaves out files of others in the directory of a stack that was never deployed', async () => {
  const here = await backupWorld()
  const { ports, engine } = here
  await givenStack(here, 'media', { deployed: false })
  const stack = present(await ports.stacks.find('media'))
  await ports.stacks.replace({ ...stack, mayHaveForeignFiles: true })
  const content = Buffer.from('KEY=theirs')
  engine.state.files.set('/opt/stacks/media/.env', { path: '.env', content, mode: 0o600 })
  const sources = [{ kind: 'stack', name: 'media' }]
  await runJob(here, await givenJob(here, { sources }))
  const stored = await storedFiles(here, 'stack-media.tar.zst')
  expect(Object.keys(stored).filter((name) => name.startsWith('data/'))).toEqual([
    'data/compose.yaml',
  ])
})

test('202: stores a stack with its files, record and volume, and the manifest last', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  const begun = await call(run, { ports: here.ports, as: 'operator', path: { id } })
  expect(begun.status).toBe(202)
  expect(begun.json).toMatchObject({
    status: 'running',
    kind: 'backup',
    job_id: id,
    by: 'operator',
  })
  await here.ports.background.settled()
  const ended = present(await here.ports.backupRuns.find(begun.json.id))
  expect(ended).toMatchObject({ status: 'succeeded', error: null, leftovers: false, stopped: [] })
  expect(objectsOf(here)).toEqual([
    'stack-shop.tar.zst',
    'volume-shop_data.tar.zst',
    'manifest.json',
  ])
  const stack = await storedFiles(here, 'stack-shop.tar.zst')
  expect(JSON.parse(present(stack['stack.json']))).toMatchObject({
    name: 'shop',
    directory: '/opt/stacks/shop',
    volumes: [{ key: 'data', name: 'shop_data', external: false }],
  })
  expect(stack['data/compose.yaml']).toContain('depends_on')
  expect(await storedFiles(here, 'volume-shop_data.tar.zst')).toEqual({ 'data/file': 'orders' })
  expect(
    ended.contents.map(({ kind, source, stack, files }) => [kind, source, stack, files]),
  ).toEqual([
    ['stack', 'shop', null, 2],
    ['volume', 'shop_data', 'shop', 1],
  ])
  expect(ended.size).toBe(
    [...here.ports.backupTargets.objects.values()].reduce((sum, { length }) => sum + length, 0),
  )
  const job = await call(get, { ports: here.ports, as: 'viewer', path: { id } })
  expect(job.json.last_run).toMatchObject({ id: ended.id, status: 'succeeded' })
})

test('202: a run has its turn while too many compose files of callers are read', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  givenQueue(here.ports).isFull = true
  expect(await runJob(here, id)).toMatchObject({ status: 'succeeded', error: null })
})

test('stores each volume once, and the state of the service once and encrypted', async () => {
  const here = await backupWorld()
  const sources = [
    { kind: 'volume', name: 'shop_data' },
    { kind: 'system' },
    { kind: 'stack', name: 'shop' },
    { kind: 'volume', name: 'loose' },
  ]
  const id = await givenJob(here, { sources })
  expect((await runJob(here, id)).status).toBe('succeeded')
  expect(objectsOf(here).sort()).toEqual([
    ...['manifest.json.age', 'stack-shop.tar.zst.age', 'system.tar.zst.age'],
    ...['volume-loose.tar.zst.age', 'volume-shop_data.tar.zst.age'],
  ])
})

test('backs up a stack that was never deployed from its record', async () => {
  const here = await backupWorld()
  for (const path of here.engine.state.files.keys()) here.engine.state.files.delete(path)
  expect((await runJob(here, await givenJob(here))).status).toBe('succeeded')
  expect(Object.keys(await storedFiles(here, 'stack-shop.tar.zst'))).toEqual([
    'stack.json',
    'data/compose.yaml',
  ])
})

test('fails if the store does not answer while the volumes of a stack are looked up', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  const { texts } = here.ports
  const get = texts.get
  texts.get = async () => {
    texts.get = get
    throw internalError('The store does not answer')
  }
  const ended = await runJob(here, id)
  expect(ended).toMatchObject({ status: 'failed', error: 'The store does not answer' })
})

test('stops the services that use the volumes during the read and starts them again', async () => {
  const here = await backupWorld()
  await givenContainer(here, 'bystander')
  const before = statesOf(here)
  let during: string[] = []
  here.ports.backupTargets.failing = (call, name) => {
    if (call === 'put' && name.includes('volume-')) during = statesOf(here)
    return undefined
  }
  const ended = await runJob(here, await givenJob(here, { stop_services: true }))
  expect(ended).toMatchObject({ status: 'succeeded', stopped: [], warnings: [] })
  expect(during).toEqual(['bystander running', 'shop-db-1 exited', 'shop-web-1 running'])
  expect(statesOf(here)).toEqual(before)
})

test('starts the stopped services again if the run fails', async () => {
  const here = await backupWorld()
  here.ports.backupTargets.failing = (call) =>
    call === 'put' ? internalError('no space left on the target') : undefined
  const ended = await runJob(here, await givenJob(here, { stop_services: ['db', 'web'] }))
  expect(ended).toMatchObject({ status: 'failed', stopped: [], leftovers: false })
  expect(ended.error).toBe('stack shop: no space left on the target')
  expect(statesOf(here)).toEqual(['shop-db-1 running', 'shop-web-1 running'])
  expect(objectsOf(here)).toEqual([])
})

test('a failed run leaves nothing behind, and the next one succeeds', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  here.ports.backupTargets.failing = (call, name) =>
    call === 'put' && name.includes('manifest') ? internalError('the target is gone') : undefined
  expect(await runJob(here, id)).toMatchObject({
    status: 'failed',
    error: 'the target is gone',
    sha256: null,
  })
  expect(objectsOf(here)).toEqual([])
  here.ports.backupTargets.failing = undefined
  expect((await runJob(here, id)).status).toBe('succeeded')
})

test('the next run removes what a failed run could not remove', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  here.ports.backupTargets.failing = (call, name) =>
    call === 'list' || name.includes('volume-') ? internalError('the target is gone') : undefined
  const first = await runJob(here, id)
  expect(first).toMatchObject({ status: 'failed', leftovers: true })
  expect(objectsOf(here)).toEqual(['stack-shop.tar.zst'])
  here.ports.backupTargets.failing = undefined
  const second = await runJob(here, id)
  expect(second.status).toBe('succeeded')
  expect(
    [...here.ports.backupTargets.objects.keys()].every((name) => name.includes(second.id)),
  ).toBe(true)
  expect(await here.ports.backupRuns.find(first.id)).toMatchObject({ leftovers: false })
})

test('runs hooks in their service: a failed pre-hook ends the run, and the post-hook still runs', async () => {
  const here = await backupWorld()
  const hook = (script: string) => ({ service: 'db', command: ['sh', '-c', script] })
  const ranWith = async (name: string, hooks: object) =>
    runJob(here, await givenJob(here, { name, hooks }))
  const ran: string[] = []
  const { exec } = here.engine
  here.engine.exec = (id, options, signal) => {
    ran.push(present(options.command.at(-1)))
    return exec(id, options, signal)
  }
  const good = await ranWith('good', { before: hook('echo dump'), after: hook('echo tidy') })
  expect(good.status).toBe('succeeded')
  expect(ran.splice(0)).toEqual(['echo dump', 'echo tidy'])
  const failed = await ranWith('before', {
    before: hook('echo no disk; exit 3'),
    after: hook('echo tidy'),
  })
  expect(failed).toMatchObject({
    status: 'failed',
    error: 'the hook before the backup: it ended with code 3: no disk',
    contents: [],
  })
  expect(ran.splice(0)).toEqual(['echo no disk; exit 3', 'echo tidy'])
  const after = await ranWith('after', { after: hook('exit 1') })
  expect(after).toMatchObject({
    status: 'failed',
    error: 'the hook after the backup: it ended with code 1',
    leftovers: false,
  })
  expect(after.sha256).not.toBeNull()
})

test('a hook fails the run if its service does not run', async () => {
  const here = await backupWorld()
  const hooks = { before: { service: 'web', command: ['true'] } }
  const id = await givenJob(here, { hooks })
  await here.engine.act('shop-web-1', { kind: 'stop' })
  expect((await runJob(here, id)).error).toContain('service web of stack shop is not running')
})

test('a missing volume or stack, or an offline host, fails the run with the reason', async () => {
  const here = await backupWorld()
  const volume = await givenJob(here, {
    name: 'volume',
    sources: [{ kind: 'volume', name: 'loose' }],
  })
  here.engine.state.volumes.delete('loose')
  expect((await runJob(here, volume)).error).toContain('volume loose')
  const stack = await givenJob(here)
  here.engine.offline = internalError('host local does not respond')
  expect(await runJob(here, stack)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('host local does not respond'),
  })
  here.engine.offline = undefined
  await here.ports.stacks.remove('shop')
  expect((await runJob(here, stack)).error).toContain('stack shop')
})

test('reads a truncated archive again, at most three times in total', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { sources: [{ kind: 'volume', name: 'loose' }] })
  const whole = present(here.engine.state.archives.get('volume loose'))
  const { readArchive } = here.engine
  let reads = 0
  const cutReads = (cuts: number) => {
    reads = 0
    here.engine.readArchive = (...given) => {
      reads += 1
      here.engine.state.archives.set('volume loose', reads <= cuts ? whole.subarray(0, 700) : whole)
      return readArchive(...given)
    }
  }
  cutReads(2)
  expect((await runJob(here, id)).status).toBe('succeeded')
  expect(reads).toBe(3)
  cutReads(9)
  expect((await runJob(here, id)).error).toContain('volume loose: the archive was cut short')
  expect(reads).toBe(3)
})

test('a shutdown interrupts the run and starts the stopped services', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { stop_services: true })
  here.ports.backupTargets.failing = (call) => {
    if (call === 'put') here.ports.background.abort()
    return undefined
  }
  here.ports.backupTargets.objects.clear()
  await givenVolume(here, 'shop_data', 'x'.repeat(300_000))
  const ended = await runJob(here, id)
  expect(ended).toMatchObject({ status: 'interrupted', stopped: [] })
  expect(statesOf(here)).toContain('shop-db-1 running')
  expect(objectsOf(here)).toEqual([])
})

test('removes old backups after the new one is complete, and never the last good one', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { retention: { keep_last: 2 } })
  const kept = () =>
    new Set([...here.ports.backupTargets.objects.keys()].map((name) => name.split('/')[1]))
  const runs: string[] = []
  for (let count = 0; count < 4; count += 1) {
    here.ports.clock.advance(1000)
    runs.push((await runJob(here, id)).id)
  }
  expect(kept()).toEqual(new Set(runs.slice(2)))
  expect(await here.ports.backupRuns.find(present(runs[0]))).toBeUndefined()
  here.ports.backupTargets.failing = (call) => (call === 'put' ? internalError('full') : undefined)
  for (let count = 0; count < 3; count += 1) await runJob(here, id)
  expect(kept()).toEqual(new Set(runs.slice(2)))
})

test('keep_days removes nothing until a clock that jumped ahead has run for three days', async () => {
  const here = await backupWorld()
  const { clock } = here.ports
  const id = await givenJob(here, { retention: { keep_days: 7 } })
  const runs: string[] = []
  const backUpDaily = async (days: number) => {
    for (let gone = 0; gone < days * 24; gone += 1) {
      if (gone % 24 === 0) runs.push((await runJob(here, id)).id)
      await sweep.with(here.ports)()
      clock.advance(hour)
    }
  }
  const kept = async () => {
    const stored = await here.ports.backupRuns.list({ jobId: id, limit: 100 })
    return stored.map((run) => run.id).sort()
  }
  await backUpDaily(3)
  clock.advance(365 * 24 * hour)
  await backUpDaily(3)
  expect(await kept()).toEqual(runs)
  expect(here.ports.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('keep_days') }),
  )
  await backUpDaily(1)
  expect(await kept()).toEqual(runs.slice(3))
})

test('does not remove a backup that is being read', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { retention: { keep_last: 1 } })
  const first = await runJob(here, id)
  await here.ports.leases.acquire(`backup-run:${first.id}`, 'a restore', 60_000)
  here.ports.clock.advance(1000)
  await runJob(here, id)
  expect(await here.ports.backupRuns.find(first.id)).toBeDefined()
})

test('202: waits until the last run, which has ended, releases the job', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  const { id: last } = await runJob(here, id)
  const lease = await here.ports.leases.acquire(`backup:${id}`, `p1/${last}`, 60_000)
  const asked = call(run, { ports: here.ports, as: 'operator', path: { id } })
  setTimeout(() => here.ports.leases.release(present(lease)), 120)
  const { status, json } = await asked
  expect(status).toBe(202)
  await here.ports.background.settled()
  expect(await here.ports.backupRuns.find(json.id)).toMatchObject({ status: 'succeeded' })
})

test('409: a run of the job is in progress', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  const calls = await Promise.all(
    Array.from({ length: 5 }, () => call(run, { ports: here.ports, as: 'operator', path: { id } })),
  )
  expect(calls.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409])
  await here.ports.background.settled()
})

test('200: with wait=true returns the run as it ended', async () => {
  const here = await backupWorld()
  const asked = { path: { id: await givenJob(here) }, query: { wait: true } }
  const { status, json, headers } = await call(run, { ports: here.ports, as: 'operator', ...asked })
  expect([status, json.status, json.reason]).toEqual([200, 'succeeded', null])
  expect([headers['x-operation-id'], headers.location]).toEqual([json.id, undefined])
})

test('200: with wait=true a run that fails says why', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  here.engine.offline = internalError('the host is away', { reason: 'host-offline' })
  const asked = { ports: here.ports, as: 'operator' as const, path: { id }, query: { wait: true } }
  const { status, json } = await call(run, asked)
  expect(status).toBe(200)
  expect(json).toMatchObject({ status: 'failed', reason: 'host-offline' })
  expect(await here.ports.backupRuns.find(json.id)).toMatchObject({ reason: 'host-offline' })
})
