import { expect, test } from 'vitest'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { backupWorld, givenJob, jobBody, runJob } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack } from '../../local/harness/world.ts'
import listRuns from '../backup-runs/list.ts'
import verify from '../backup-runs/verify.ts'
import { internalError } from '../core/errors.ts'
import removeStack from '../stacks/remove.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import run from './run.ts'
import update from './update.ts'

const s3 = { kind: 's3', bucket: 'backups', access_key_id: 'key', secret_access_key: 'hush' }
const sftp = {
  kind: 'sftp',
  host: 'nas',
  username: 'backup',
  password: 'hush',
  host_key: `SHA256:${'a'.repeat(43)}`,
}

async function made(more: object, as: TestCaller = 'admin') {
  const here = await backupWorld()
  const answer = await call(create, { ports: here.ports, as, body: { ...jobBody, ...more } })
  return { ...here, answer }
}

test('201: creates a job that is found and listed without its secret', async () => {
  const schedule = { schedule: '30  3 * * *', timezone: 'Europe/Berlin' }
  const { ports, answer } = await made({ ...schedule, target: s3 })
  expect(answer.status).toBe(201)
  expect(answer.json).toMatchObject({
    name: 'nightly',
    host: 'local',
    schedule: '30 3 * * *',
    enabled: true,
    last_run: null,
    next_run_at: '2026-06-02T01:30:00.000Z',
    target: { kind: 's3', bucket: 'backups', region: 'us-east-1', access_key_id: 'key' },
  })
  const path = { id: answer.json.id }
  const shown = await call(get, { ports, as: 'viewer', path })
  expect(shown.status).toBe(200)
  expect(shown.json).toEqual(answer.json)
  const listed = await call(list, { ports, as: 'viewer' })
  expect(listed.json).toEqual([answer.json])
  expect(answer.text + shown.text + listed.text).not.toContain('hush')
  expect(await ports.backupJobs.find(path.id)).toMatchObject({
    target: { secretAccessKey: 'hush' },
  })
})

test('200: lists jobs by name', async () => {
  const here = await backupWorld()
  for (const name of ['b', 'C', 'a']) await givenJob(here, { name })
  const { json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'C'])
})

test('200: keeps omitted fields, and the secret if the target is unchanged', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { target: s3, schedule: '0 3 * * *' })
  const change = (body: object) =>
    call(update, { ports: here.ports, as: 'operator', path: { id }, body })
  const { secret_access_key: _, ...without } = s3
  expect((await change({ target: { ...without, region: 'eu-west-1' } })).status).toBe(200)
  expect(await here.ports.backupJobs.find(id)).toMatchObject({
    name: 'nightly',
    schedule: '0 3 * * *',
    target: { region: 'eu-west-1', secretAccessKey: 'hush' },
  })
  for (const other of [
    { endpoint: 'https://elsewhere.example' },
    { bucket: 'other' },
    { access_key_id: 'x' },
  ]) {
    const refused = await change({ target: { ...without, ...other } })
    expect(refused.status, JSON.stringify(other)).toBe(400)
    expect(refused.json.error).toContain('secret_access_key')
  }
  expect((await change({ enabled: false })).json).toMatchObject({
    enabled: false,
    next_run_at: null,
  })
  expect((await change({ enabled: true })).json.next_run_at).toBe('2026-06-02T03:00:00.000Z')
  expect((await change({ schedule: null })).json).toMatchObject({
    schedule: null,
    next_run_at: null,
  })
})

test('200: an SFTP target keeps its password or replaces it with a key', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, { target: sftp })
  const change = (target: object) =>
    call(update, { ports: here.ports, as: 'operator', path: { id }, body: { target } })
  const { password: _, ...without } = sftp
  expect((await change(without)).status).toBe(200)
  expect(await here.ports.backupJobs.find(id)).toMatchObject({ target: { password: 'hush' } })
  expect((await change({ ...without, private_key: 'PEM' })).status).toBe(200)
  expect(await here.ports.backupJobs.find(id)).toMatchObject({
    target: { password: null, privateKey: 'PEM' },
  })
  expect((await change({ ...sftp, private_key: 'PEM' })).status).toBe(400)
  expect((await change({ ...without, host: 'elsewhere' })).status).toBe(400)
})

test('204: deletes a job and keeps its runs', async () => {
  const here = await backupWorld()
  const { ports } = here
  const id = await givenJob(here)
  const { id: runId } = await runJob(here, id)
  expect((await call(remove, { ports, as: 'operator', path: { id } })).status).toBe(204)
  expect((await call(get, { ports, as: 'viewer', path: { id } })).status).toBe(404)
  const runs = await call(listRuns, { ports, as: 'viewer' })
  expect(runs.json).toMatchObject([{ id: runId, job_id: id, job_name: 'nightly' }])
  const verified = await call(verify, { ports, as: 'operator', path: { id: runId } })
  expect(verified.json).toMatchObject({ ok: true, files: 3 })
})

test('403: changing, running or deleting a job needs the rights to all that it reads', async () => {
  const here = await backupWorld()
  const { ports } = here
  const loose = { name: 'volume', sources: [{ kind: 'volume', name: 'loose' }] }
  const secrets = { name: 'secrets', sources: [{ kind: 'system' }] }
  for (const more of [loose, secrets]) {
    const id = await givenJob(here, more)
    for (const endpoint of [update, remove, run]) {
      const body = endpoint === update ? { enabled: false } : undefined
      const asked = { ports, path: { id }, body }
      const refused = await call(endpoint as typeof run, { ...asked, as: 'operator' })
      expect(refused.status, `${more.name} ${endpoint.facts.summary}`).toBe(403)
    }
    expect((await call(run, { ports, as: 'admin', path: { id } })).status).toBe(202)
    await ports.background.settled()
    expect((await call(remove, { ports, as: 'admin', path: { id } })).status).toBe(204)
  }
})

test('204: deletes a job whose stack and host are gone', async () => {
  const here = await backupWorld()
  const sources = [{ kind: 'volume', name: 'shop_data' }]
  const id = await givenJob(here, { sources })
  await call(removeStack, { ports: here.ports, as: 'admin', path: { name: 'shop' } })
  here.engine.offline = internalError('the host does not respond')
  expect((await call(remove, { ports: here.ports, as: 'operator', path: { id } })).status).toBe(204)
  expect(await here.ports.backupJobs.find(id)).toBeUndefined()
})

test('400: names the invalid field', async () => {
  const bad: [string, object][] = [
    ['name', { name: '../up' }],
    ['name', { name: '' }],
    ['sources', { sources: [] }],
    [
      'sources',
      {
        sources: [
          { kind: 'stack', name: 'shop' },
          { kind: 'stack', name: 'shop' },
        ],
      },
    ],
    ['sources', { sources: [{ kind: 'container', name: 'web' }] }],
    ['schedule', { schedule: '* * * *' }],
    ['schedule', { schedule: '0 0 31 2 *' }],
    ['timezone', { timezone: 'Mars/Phobos' }],
    ['retention', { retention: { keep_last: 0 } }],
    ['retention', { retention: { keep: 3 } }],
    ['hooks', { hooks: { before: { service: 'db', command: [] } } }],
    ['hooks', { hooks: { before: { service: 'db', command: 'sh -c x' } } }],
    ['target', { target: { kind: 'local', path: '../../etc' } }],
    ['target', { target: { kind: 'ftp' } }],
    ['target', { target: { ...s3, endpoint: 'file:///etc' } }],
    ['target', { target: { ...s3, secret_access_key: undefined } }],
    ['target', { target: { ...sftp, host_key: 'none' } }],
    ['target', { target: { ...sftp, host: 'a b' } }],
    ['host', { host: 'all' }],
  ]
  for (const [where, more] of bad) {
    const { answer } = await made(more)
    expect(answer.status, JSON.stringify(more)).toBe(400)
    expect(answer.json.error, JSON.stringify(more)).toContain(where)
  }
})

test('400: rejects a change after which the schedule never runs', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  const change = (body: object) =>
    call(update, { ports: here.ports, as: 'operator', path: { id }, body })
  expect((await change({ schedule: '0 0 31 2 *' })).status).toBe(400)
})

test('401 and 403: requires a session and the permissions that the job needs', async () => {
  const here = await backupWorld()
  const { ports } = here
  expect((await call(create, { ports, body: jobBody })).status).toBe(401)
  expect((await call(create, { ports, as: 'viewer', body: jobBody })).status).toBe(403)
  await ports.roles.create({ id: 'keeper', permissions: ['backups:manage'], createdAt: 0 })
  const keeper = { role: 'keeper', username: 'keeper' }
  await ports.settings.save({ 'stacks.shared_volumes': ['loose'] })
  const volume = { sources: [{ kind: 'volume', name: 'loose' }] }
  const hooks = { before: { service: 'shop/db', command: ['true'] } }
  const refused: [string, object][] = [
    ['stacks:secrets', {}],
    ['settings:manage', { sources: [{ kind: 'system' }] }],
    ['containers:exec', { ...volume, hooks }],
    ['containers:operate', { ...volume, stop_services: true }],
    ['stacks:privileged', { ...volume, target: { kind: 'local', path: '/etc' } }],
  ]
  for (const [permission, more] of refused) {
    const answer = await call(create, { ports, as: keeper, body: { ...jobBody, ...more } })
    expect(answer.status, permission).toBe(403)
    expect(answer.json.error).toContain(permission)
  }
  const allowed = await call(create, { ports, as: keeper, body: { ...jobBody, ...volume } })
  expect(allowed.status).toBe(201)
  await ports.roles.replace({
    ...present(await ports.roles.find('keeper')),
    permissions: ['backups:manage', 'stacks:secrets'],
  })
  const unread = await call(create, { ports, as: keeper, body: { ...jobBody, name: 'unread' } })
  expect([unread.status, unread.json.error]).toEqual([403, expect.stringContaining('stacks:read')])
})

test('403: a job that needs more permissions, or is out of scope, cannot be changed', async () => {
  const here = await backupWorld()
  const { ports } = here
  const system = await givenJob(here, { name: 'system', sources: [{ kind: 'system' }] })
  const id = await givenJob(here)
  const change = { ports, path: { id: system }, body: { target: { kind: 'local', path: 'other' } } }
  expect((await call(update, { ...change, as: 'operator' })).status).toBe(403)
  expect((await call(update, { ...change, as: 'admin' })).json).toMatchObject({ encrypt: true })
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  for (const endpoint of [get, update, remove]) {
    const body = endpoint === update ? {} : undefined
    const answer = await call(endpoint as typeof get, { ports, as: limited, path: { id }, body })
    expect(answer.status).toBe(403)
  }
  expect((await call(list, { ports, as: limited })).json).toEqual([])
  expect(
    (await call(create, { ports, as: limited, body: { ...jobBody, host: 'local' } })).status,
  ).toBe(403)
})

test('403: checks the permissions for the job before and after the change', async () => {
  const here = await backupWorld()
  const { ports } = here
  await ports.roles.create({ id: 'keeper', permissions: ['backups:manage'], createdAt: 0 })
  const keeper = { role: 'keeper', username: 'keeper' }
  await ports.settings.save({ 'stacks.shared_volumes': ['loose'] })
  const loose = [{ kind: 'volume', name: 'loose' }]
  const ofStack = await givenJob(here)
  const ofVolume = await givenJob(here, { name: 'loose', sources: loose })
  const changed = async (id: string, sources: object[]) =>
    (await call(update, { ports, as: keeper, path: { id }, body: { sources } })).status
  expect(await changed(ofStack, loose)).toBe(403)
  expect(await changed(ofVolume, jobBody.sources)).toBe(403)
  expect(await changed(ofVolume, loose)).toBe(200)
})

test('403: an admin of some hosts cannot back up the state of the service', async () => {
  const { ports } = await backupWorld()
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const body = { ...jobBody, sources: [{ kind: 'system' }] }
  expect((await call(create, { ports, as: limited, body })).status).toBe(403)
})

test('404: unknown job, host, stack or volume', async () => {
  for (const more of [
    { host: 'none' },
    { sources: [{ kind: 'stack', name: 'none' }] },
    {
      sources: [
        { kind: 'stack', name: 'shop' },
        { kind: 'volume', name: 'none' },
      ],
    },
  ]) {
    const { answer } = await made(more)
    expect(answer.status, JSON.stringify(more)).toBe(404)
  }
  const { ports } = await backupWorld()
  const path = { id: 'none' }
  expect((await call(get, { ports, as: 'viewer', path })).status).toBe(404)
  expect((await call(update, { ports, as: 'operator', path, body: {} })).status).toBe(404)
  expect((await call(remove, { ports, as: 'operator', path })).status).toBe(404)
})

test('409: the name is taken, the job is being changed, or a run is in progress', async () => {
  const here = await backupWorld()
  const { ports } = here
  const id = await givenJob(here)
  await givenJob(here, { name: 'other' })
  const again = await call(create, { ports, as: 'operator', body: { ...jobBody, name: 'Nightly' } })
  expect(again.status).toBe(409)
  const rename = { ports, as: 'operator' as const, path: { id }, body: { name: 'OTHER' } }
  expect((await call(update, rename)).status).toBe(409)
  await ports.leases.acquire(`backup:${id}`, 'somebody', 10_000)
  expect((await call(remove, { ports, as: 'operator', path: { id } })).status).toBe(409)
})

test('422: a source on another host, or an unknown or ambiguous service', async () => {
  const here = await backupWorld()
  await givenHost(here, 'far')
  await givenStack(here, 'barn')
  const both = { sources: ['shop', 'barn'].map((name) => ({ kind: 'stack', name })) }
  const hook = (service: string) => ({ hooks: { before: { service, command: ['true'] } } })
  const create422 = async (more: object) => {
    const answer = await call(create, {
      ports: here.ports,
      as: 'admin',
      body: { ...jobBody, ...more },
    })
    expect(answer.status, JSON.stringify(more)).toBe(422)
    return answer.json.error as string
  }
  const elsewhere = `stack shop is on the host ${localHost.name}`
  expect(await create422({ host: 'far' })).toBe(`body.sources[0]: ${elsewhere}`)
  expect(await create422(hook('cache'))).toContain('it has db, web')
  expect(await create422({ ...both, ...hook('db') })).toContain('<stack>/<service>')
  expect(await create422({ stop_services: ['db', 'none'] })).toContain('body.stop_services[1]')
  expect(await create422({ host: 'far', sources: [{ kind: 'system' }] })).toContain('local')
  const id = await givenJob(here)
  const change = { ports: here.ports, as: 'admin' as const, path: { id }, body: { host: 'far' } }
  expect((await call(update, change)).status).toBe(422)
})
