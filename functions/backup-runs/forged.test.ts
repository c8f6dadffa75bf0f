import { expect, test } from 'vitest'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { call } from '../../local/harness/call.ts'
import {
  type Backup,
  forge,
  forgeObjects,
  forgeStack,
  makeBackup,
  manifestOf,
  refusedRestore,
  restoreAllBody,
  restoreStackBody,
  tryRestore,
} from '../../local/harness/forged-backup.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { forgetOwners, givenHost } from '../../local/harness/world.ts'
import type { SavedStack } from '../core/backups/contents/saved-stack.ts'
import type { BackupObject } from '../core/records/backup-manifest.ts'
import removeStack from '../stacks/remove.ts'

test('422: rejects a manifest that is not the one the run recorded', async () => {
  const here = await makeBackup()
  await forgeObjects(here, () => ({ source: 'victim_data' }), { isRecorded: false })
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
    refusedRestore(422, 'SHA-256 mismatch'),
  )
})

test.each([
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['an object without fields', '{}'],
  ['half of a manifest', '{"format":1,"version":"1"'],
  ['a future format', '{"format":2}'],
  ['bytes', '\u0000\u0001'],
])('422: rejects a manifest that is %s', async (_what, text) => {
  const here = await makeBackup()
  await forge(here, text)
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(refusedRestore(422, ''))
})

test('422: rejects a manifest without objects', async () => {
  const here = await makeBackup()
  await forge(here, JSON.stringify({ ...manifestOf(here), objects: [] }))
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
    refusedRestore(422, 'is empty'),
  )
})

test('422: rejects the manifest of another run', async () => {
  const here = await makeBackup()
  await forge(here, JSON.stringify({ ...manifestOf(here), run: 'other' }))
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
    refusedRestore(422, 'belongs to run other'),
  )
})

test.each([
  ['absolute', '/etc'],
  ['above', '../../containers/x'],
  ['a path', 'a/b'],
  ['with a query', 'a?force=1'],
  ['empty', ''],
  ['long', 'a'.repeat(5000)],
])('422: rejects a volume with an invalid name: %s', async (_what, source) => {
  const here = await makeBackup()
  await forgeObjects(here, ({ kind }) => (kind === 'volume' ? { source, stack: null } : {}))
  const { objects } = manifestOf(here)
  await forge(
    here,
    JSON.stringify({
      ...manifestOf(here),
      objects: objects.filter((one) => one.source === source).slice(0, 1),
    }),
  )
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
    refusedRestore(422, 'manifest'),
  )
})

test.each(['../shop', '/etc', 'Shop', 'a b', '__proto__'])(
  '422: rejects a stack with an invalid name: %s',
  async (source) => {
    const here = await makeBackup()
    await forgeObjects(here, ({ kind }) => (kind === 'stack' ? { source } : {}))
    expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
      refusedRestore(422, 'manifest'),
    )
  },
)

test.each(['../manifest.json', '/etc/passwd', 'a/b', '..', '.hidden'])(
  '422: rejects an object whose name points elsewhere: %s',
  async (name) => {
    const here = await makeBackup()
    await forgeObjects(here, ({ kind }) => (kind === 'stack' ? { name } : {}))
    expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
      refusedRestore(422, 'manifest'),
    )
  },
)

test('422: rejects a manifest that names a source or an object twice', async () => {
  for (const twice of ['source', 'name'] as const) {
    const here = await makeBackup()
    await forgeObjects(here, ({ kind }) =>
      kind === 'volume' ? { [twice]: twice === 'name' ? 'same.tar' : 'same' } : {},
    )
    expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
      refusedRestore(422, 'twice'),
    )
  }
})

test('422: rejects a manifest of 50,000 objects', async () => {
  const here = await makeBackup()
  const [first] = manifestOf(here).objects
  const objects = Array.from({ length: 50_000 }, (_, index) => ({
    ...first,
    kind: 'volume',
    stack: null,
    name: `v${index}.tar`,
    source: `v${index}`,
  }))
  await forge(here, JSON.stringify({ ...manifestOf(here), objects }))
  const body = { sources: [{ kind: 'volume', name: 'v0' }] }
  expect(await tryRestore(here, body, 'admin')).toMatchObject(refusedRestore(422, 'manifest'))
})

test('422: rejects counts whose sum is not a safe number', async () => {
  const here = await makeBackup()
  await forgeObjects(here, () => ({ bytes: Number.MAX_SAFE_INTEGER }))
  expect(await tryRestore(here, restoreAllBody, 'admin')).toMatchObject(
    refusedRestore(422, 'manifest'),
  )
})

test('stops reading an object that is longer than its manifest says', async () => {
  const here = await makeBackup()
  const { backupTargets } = here.ports
  const { open } = backupTargets
  let bytes = 0
  async function* endless() {
    for (; bytes < 64 * 1024 * 1024; bytes += 65_536) yield Buffer.alloc(65_536)
  }
  backupTargets.open = async (...words) => {
    const target = await open(...words)
    const get: typeof target.get = async (name, options) =>
      name.includes('loose') ? endless() : target.get(name, options)
    return { ...target, get }
  }
  const body = { sources: [{ kind: 'volume', name: 'loose' }], overwrite: true }
  const { ended, isAsBefore } = await tryRestore(here, body, 'admin')
  expect([ended?.error, isAsBefore]).toEqual([expect.stringContaining('longer'), true])
  expect(bytes).toBeLessThan(1024 * 1024)
})

test.each(['sha256', 'tar_sha256', 'bytes', 'tar_bytes'] as const)(
  'changes nothing if an object does not fit its %s in the manifest',
  async (field) => {
    const here = await makeBackup()
    const isCount = field === 'bytes' || field === 'tar_bytes'
    const wrong = (object: BackupObject) => (isCount ? object[field] + 1 : '0'.repeat(64))
    await forgeObjects(here, (object) => ({ [field]: wrong(object) }))
    const { ended, isAsBefore } = await tryRestore(here, restoreAllBody, 'admin')
    expect([ended?.error, isAsBefore]).toEqual([
      expect.stringMatching(/(mismatch\)|cut short); nothing was changed/),
      true,
    ])
  },
)

test('ignores the host in a manifest', async () => {
  const here = await makeBackup()
  const { engine } = await givenHost(here, 'far')
  const manifest = manifestOf(here)
  await forge(here, JSON.stringify({ ...manifest, host: { id: 'far', name: hostNameOf('far') } }))
  const { ended } = await tryRestore(here, restoreAllBody, 'admin')
  expect([ended?.status, ended?.hostId]).toEqual(['succeeded', 'local'])
  expect(engine.executed).toEqual([])
})

/** A role that restores volumes but may not deploy what others own. */
const keeper = (here: Backup) =>
  givenRole(here, ['backups:manage', 'containers:operate', 'stacks:read', 'volumes:read'])

test.each([
  ['recorded', true],
  ['labelled only', false],
])('403: rejects the volume of another stack in a manifest (%s)', async (_what, isRecorded) => {
  const here = await makeBackup()
  if (!isRecorded) {
    await forgetOwners(here, 'victim')
    const labels = { 'com.docker.compose.project': 'victim', 'com.docker.compose.volume': 'data' }
    here.engine.state.volumes.set('victim_data', { name: 'victim_data', labels })
  }
  await forgeObjects(here, ({ source }) => (source === 'loose' ? { source: 'victim_data' } : {}))
  const body = { sources: [{ kind: 'volume', name: 'victim_data' }], overwrite: true }
  const as = await keeper(here)
  expect(await tryRestore(here, body, as)).toMatchObject(refusedRestore(403, 'another stack'))
  expect((await tryRestore(here, body)).ended).toMatchObject({ status: 'succeeded' })
})

const reaching = (volumes: string) =>
  `services: {a: {image: "busybox:latest", command: sleep 9, volumes: ["data:/d"]}}
volumes: ${volumes}`

test.each([
  ['by its name', 'data', '{data: {name: victim_data}}'],
  ['external', 'data', '{data: {name: victim_data, external: true}}'],
  ['unused', 'unused', '{data: {}, unused: {name: victim_data}}'],
  ['not declared', 'none', '{data: {}}'],
])('403: rejects the volume of another stack in a saved stack (%s)', async (...row) => {
  const [, key, volumes] = row
  const here = await makeBackup()
  await forgeStack(here, () => ({
    compose: reaching(volumes),
    volumes: [{ key, name: 'victim_data', external: false }],
  }))
  await forgeObjects(here, ({ source }) =>
    source === 'shop_data' ? { source: 'victim_data' } : {},
  )
  await call(removeStack, { ports: here.ports, as: 'admin', path: { name: 'victim' } })
  expect(await tryRestore(here, restoreStackBody)).toMatchObject(refusedRestore(403, 'victim_data'))
})

test('403: rejects a volume without a recorded owner in a saved stack', async () => {
  const here = await makeBackup()
  await forgeStack(here, () => ({
    compose: reaching('{data: {name: loose}}'),
    volumes: [{ key: 'data', name: 'shop_data', external: false }],
  }))
  expect(await tryRestore(here, restoreStackBody)).toMatchObject(
    refusedRestore(403, 'no stack created it'),
  )
  expect(await here.ports.owners.find({ hostId: 'local', kind: 'volume', name: 'loose' })).toBe(
    undefined,
  )
})

test.each([
  ['privileged', 'services: {a: {image: "busybox:latest", privileged: true}}'],
  ['a bind outside', 'services: {a: {image: "busybox:latest", volumes: ["/etc:/x"]}}'],
  [
    'a bind through options',
    'services: {a: {image: "busybox:latest", volumes: ["vol:/x"]}}\nvolumes: {vol: {driver_opts: {type: none, o: bind, device: /etc}}}',
  ],
])('403: rejects a saved stack that gains access to its host: %s', async (_what, compose) => {
  const here = await makeBackup()
  await forgeStack(here, () => ({ compose }))
  expect(await tryRestore(here, restoreStackBody)).toMatchObject(refusedRestore(403, ''))
})

const outside = { encoding: 'utf8' as const, content: 'x', executable: false }
test.each<[string, Partial<SavedStack>]>([
  ['another file above', { others: { '../victim/.env': outside } }],
  ['another file, absolute', { others: { '/etc/cron.d/x': outside } }],
  ['a compose file above', { compose_files: ['../victim/compose.yaml'] }],
  ['a compose file, absolute', { compose_files: ['compose.yaml', '/etc/passwd'] }],
  ['an overlay above', { overlays: { '/../../victim/x': 'services: {}' } }],
  ['no record', { name: 'victim' }],
])('422: rejects a saved stack with %s', async (_what, change) => {
  const here = await makeBackup()
  await forgeStack(here, () => change)
  expect(await tryRestore(here, restoreStackBody, 'admin')).toMatchObject(refusedRestore(422, ''))
})
