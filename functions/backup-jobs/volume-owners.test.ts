import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenInstallation,
  givenJob,
  givenVolume,
  jobBody,
  runJob,
  storedFiles,
} from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { forgetOwners, givenHost, givenStack } from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import saveSettings from '../settings/update.ts'
import updateStack from '../stacks/update.ts'
import create from './create.ts'
import remove from './remove.ts'
import run from './run.ts'
import update from './update.ts'

const loose = { sources: [{ kind: 'volume', name: 'loose' }] }
const ofShop = { sources: [{ kind: 'volume', name: 'shop_data' }] }

const created = (here: BackupWorld, more: object, as: TestCaller = 'operator') =>
  call(create, { ports: here.ports, as, body: { ...jobBody, ...more } })

const updated = ({ ports }: BackupWorld, id: string, body: object, as: TestCaller = 'operator') =>
  call(update, { ports, as, path: { id }, body })

const share = (here: BackupWorld, ...names: string[]) => {
  const body = { 'stacks.shared_volumes': names }
  return call(saveSettings, { ports: here.ports, as: 'admin', body })
}

/** The text of a compose file whose service mounts an external volume. */
const using = (name: string) =>
  `services: {a: {image: "busybox:latest", command: sleep 60, volumes: ["vol:/v", "own:/o"]}}
volumes: {vol: {name: ${name}, external: true}, own: {}}`

/** Creates the stack `guest`, which mounts its own volume and an external one. */
async function givenGuest(here: BackupWorld, volume: string, options = {}) {
  await givenStack(here, 'guest', { compose: using(volume), ...options })
}
const guest = { sources: [{ kind: 'stack', name: 'guest' }] }

const sourcesOf = ({ contents }: { contents: { source: string }[] }) =>
  contents.map(({ source }) => source)

/** Makes a job look as one that a version without owners of volumes created. */
async function madeEarlier({ ports }: BackupWorld, id: string) {
  const { volumes: _, ...job } = present(await ports.backupJobs.find(id))
  await ports.backupJobs.replace(job)
}

test('403: a volume that no stack created needs stacks:privileged, or the setting', async () => {
  const here = await backupWorld()
  const refused = await created(here, loose)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringMatching(/^body\.sources\[0\]: volume loose: .*setting stacks\.shared_volumes/),
  ])
  expect((await created(here, { ...loose, name: 'by-admin' }, 'admin')).status).toBe(201)
  await share(here, 'loose')
  expect((await created(here, loose)).status).toBe(201)
})

test('403: the volume of a stack needs the right to read and deploy that stack', async () => {
  const here = await backupWorld()
  const keeper = await givenRole(here, ['backups:manage', 'stacks:read'])
  const refused = await created(here, ofShop, keeper)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('it belongs to another stack'),
  ])
  expect(refused.text).not.toContain('stack shop')
  expect((await created(here, ofShop)).status).toBe(201)
})

test('403: the volume of a stack on a host out of scope', async () => {
  const here = await backupWorld()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenVolume({ engine: here.ports.engines.byHost.get('far') as never }, 'shop_data', 'x')
  const claim = { hostId: 'far', kind: 'volume' as const, name: 'shop_data' }
  await here.ports.owners.claim({ ...claim, stack: 'shop', at: 1 })
  const body = { ...ofShop, host: 'far' }
  const limited = { username: 'lab', role: 'operator', scopeTags: ['lab'] }
  expect((await created(here, body, limited)).status).toBe(403)
})

test('201: a job of a stack takes the volumes of that stack, also as sources of their own', async () => {
  const here = await backupWorld()
  const keeper = await givenRole(here, ['backups:manage', 'stacks:read', 'stacks:secrets'])
  const sources = [...jobBody.sources, ...ofShop.sources]
  expect((await created(here, { sources }, keeper)).status).toBe(201)
})

test.each(['loose', 'shop_data'])(
  '403: asks for the external volumes of a stack, too: %s',
  async (volume) => {
    const here = await backupWorld()
    await givenGuest(here, volume)
    const keeper = await givenRole(here, ['backups:manage', 'stacks:read', 'stacks:secrets'])
    const refused = await created(here, guest, keeper)
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringMatching(`^body.sources\\[0\\]: stack guest: volume ${volume}: `),
    ])
    await share(here, volume)
    expect((await created(here, guest, keeper)).status).toBe(201)
  },
)

test('403: labels do not give a volume to a stack that never ran', async () => {
  const here = await backupWorld()
  const label = 'com.docker.compose'
  const labels = { [`${label}.project`]: 'byhand', [`${label}.volume`]: 'data' }
  here.engine.state.volumes.set('byhand_data', { name: 'byhand_data', labels })
  await givenStack(here, 'byhand', { deployed: false })
  const byHand = { sources: [{ kind: 'volume', name: 'byhand_data' }] }
  expect((await created(here, byHand)).status).toBe(403)
  const sources = [{ kind: 'stack', name: 'byhand' }]
  expect((await created(here, { sources })).status).toBe(403)
})

test('403: a volume that others created after the one of the stack was removed', async () => {
  const here = await backupWorld()
  here.engine.state.volumes.set('shop_data', { name: 'shop_data', labels: {} })
  expect((await created(here, ofShop)).json.error).toContain('no stack created it')
  expect((await created(here, {})).status).toBe(403)
})

test('201: a stack of a version without records takes its volumes', async () => {
  const here = await backupWorld()
  await forgetOwners(here)
  expect((await created(here, {})).status).toBe(201)
  expect((await created(here, { ...ofShop, name: 'volume' })).status).toBe(201)
})

test.each(['operator', 'admin'] as const)(
  '409: no account backs up a volume of the installation: %s',
  async (as) => {
    const here = await backupWorld()
    await givenInstallation(here)
    await share(here, 'container-stacks_data')
    const sources = [{ kind: 'volume', name: 'container-stacks_data' }]
    const refused = await created(here, { sources }, as)
    expect([refused.status, refused.json.error]).toEqual([
      409,
      'body.sources[0]: volume container-stacks_data: it is a part of this service; ' +
        'to save its data, make a job that backs up the system',
    ])
    // A stack from before the volume became a part of the installation.
    const { own } = here.engine
    here.engine.own = noInstallation
    await givenGuest(here, 'container-stacks_data')
    here.engine.own = own
    expect((await created(here, guest, as)).status).toBe(409)
  },
)

test('a run leaves out the volume of the installation that a stack names since the job was saved', async () => {
  const here = await backupWorld()
  await givenInstallation(here)
  await givenStack(here, 'guest', { compose: using('shop_data') })
  const id = await givenJob(here, guest)
  await changeFile(here, 'container-stacks_data')
  const ended = await runJob(here, id)
  expect(ended.status).toBe('succeeded')
  expect(sourcesOf(ended)).toEqual(['guest', 'guest_own'])
  expect(ended.warnings).toContainEqual(
    expect.stringMatching(/^stack guest: \/v of service a .*part of this service/),
  )
})

/** Changes the external volume of the stack `guest` without a deploy. */
const changeFile = (here: BackupWorld, volume: string) => {
  const body = { compose: using(volume) }
  return call(updateStack, { ports: here.ports, as: 'admin', path: { name: 'guest' }, body })
}

test('a run leaves out volumes that a stack uses since its job was saved', async () => {
  const here = await backupWorld()
  await givenVolume(here, 'added', 'secrets')
  await givenGuest(here, 'loose')
  await share(here, 'loose')
  const { json } = await created(here, guest)
  expect(sourcesOf(await runJob(here, json.id))).toEqual(['guest', 'loose', 'guest_own'])
  await changeFile(here, 'added')
  const ended = await runJob(here, json.id)
  expect(sourcesOf(ended)).toEqual(['guest', 'guest_own'])
  expect(ended.warnings.join()).toMatch(/\/v of service a .*stacks\.shared_volumes/)
  await expect(storedFiles(here, 'volume-added.tar.zst')).rejects.toThrow()
})

test('a run stores what the last editor of its job might read', async () => {
  const here = await backupWorld()
  await givenGuest(here, 'loose')
  const sources = [...guest.sources, { kind: 'volume', name: 'shop_data' }]
  const ended = await runJob(here, await givenJob(here, { sources }))
  expect([ended.status, ended.warnings]).toEqual(['succeeded', []])
  expect(sourcesOf(ended)).toEqual(['guest', 'loose', 'guest_own', 'shop_data'])
})

test('a run fails if its volume belongs to others since the job was saved', async () => {
  const here = await backupWorld()
  const { json } = await created(here, ofShop)
  expect((await runJob(here, json.id)).status).toBe('succeeded')
  here.engine.state.volumes.set('shop_data', { name: 'shop_data', labels: {} })
  const ended = await runJob(here, json.id)
  expect([ended.status, ended.error]).toEqual(['failed', expect.stringContaining('no stack')])
})

test('a run fails if the setting no longer lists its volume', async () => {
  const here = await backupWorld()
  await share(here, 'loose')
  const { json } = await created(here, loose)
  expect((await runJob(here, json.id)).status).toBe('succeeded')
  await share(here)
  expect((await runJob(here, json.id)).error).toContain('stacks.shared_volumes')
})

test('a job of an earlier version keeps the volumes that it has, and gets no others', async () => {
  const here = await backupWorld()
  await givenVolume(here, 'added', 'secrets')
  await givenGuest(here, 'loose')
  const id = await givenJob(here, guest)
  await madeEarlier(here, id)
  const operators = await call(run, { ports: here.ports, as: 'operator', path: { id } })
  expect(operators.status).toBe(202)
  await here.ports.background.settled()
  const first = present(await here.ports.backupRuns.find(operators.json.id))
  expect(sourcesOf(first)).toEqual(['guest', 'loose', 'guest_own'])
  await changeFile(here, 'added')
  expect(sourcesOf(await runJob(here, id))).toEqual(['guest', 'guest_own'])
  await changeFile(here, 'loose')
  expect(sourcesOf(await runJob(here, id))).toEqual(['guest', 'loose', 'guest_own'])
  expect((await updated(here, id, { enabled: false })).status).toBe(200)
  expect((await updated(here, id, guest)).status).toBe(200)
  const elsewhere = { target: { kind: 'local', path: 'mine' } }
  expect((await updated(here, id, elsewhere)).status).toBe(403)
  expect((await call(remove, { ports: here.ports, as: 'operator', path: { id } })).status).toBe(204)
})

test('200 and 403: a job of an earlier version that did not run yet can be changed', async () => {
  const here = await backupWorld()
  const id = await givenJob(here, loose)
  await madeEarlier(here, id)
  expect((await updated(here, id, { target: { kind: 'local', path: 'mine' } })).status).toBe(403)
  const sources = [...loose.sources, ...jobBody.sources]
  expect((await updated(here, id, { sources })).status).toBe(200)
  expect((await runJob(here, id)).status).toBe('succeeded')
  await givenVolume(here, 'other', 'x')
  const more = [...sources, { kind: 'volume', name: 'other' }]
  expect((await updated(here, id, { sources: more })).status).toBe(403)
})

test('a job of an earlier version loses a volume of the installation', async () => {
  const here = await backupWorld()
  const sources = [{ kind: 'volume', name: 'container-stacks_data' }]
  await givenVolume(here, 'container-stacks_data', 'keys')
  const id = await givenJob(here, { sources })
  await madeEarlier(here, id)
  await givenInstallation(here)
  const ended = await runJob(here, id)
  expect([ended.status, ended.error]).toEqual([
    'failed',
    expect.stringContaining('backs up the system'),
  ])
})

test('409: a stack in whose directory the service has files', async () => {
  const here = await backupWorld()
  const id = await givenJob(here)
  here.engine.own = { ...noInstallation, directories: ['/opt/stacks/shop/data'] }
  for (const as of ['operator', 'admin'] as const) {
    const { status, headers } = await created(here, { name: 'keys' }, as)
    expect([status, headers['x-error-reason']]).toEqual([409, 'own-installation'])
  }
  expect(await runJob(here, id)).toMatchObject({ status: 'failed', contents: [] })
})
