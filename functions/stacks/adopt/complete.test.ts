import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import {
  archiveOf,
  bundleOf,
  changeContainer,
  completeAdoption,
  type Entry,
  givenProject,
  givenStackInDirectory,
  imagesHaveLabels,
  runAdoption,
  sendBundle,
} from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../../local/harness/world.ts'
import { label } from '../../compose/create/labels.ts'
import { notFound } from '../../core/errors.ts'
import deploy from '../deploy.ts'
import getStack from '../get.ts'
import remove from '../remove.ts'
import update from '../update.ts'
import complete from './complete.ts'

const path = { name: 'shop' }
const good: Entry = [{ name: 'compose.yaml' }, shop]

const containers = ({ engine }: World) =>
  [...engine.state.containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)

async function running(compose?: string) {
  const here = world()
  await givenProject(here, compose)
  return here
}

test('201: turns a running project into a stack and changes nothing on the host', async () => {
  const here = await running()
  const before = [containers(here), here.engine.executed.length, new Map(here.engine.state.files)]
  const { status, json } = await runAdoption(here, await bundleOf({ 'compose.yaml': shop }))
  expect(status).toBe(201)
  expect(json).toMatchObject({
    name: 'shop',
    status: 'running',
    directory: '/opt/stacks/shop',
    revision: 1,
    differences: [],
    warnings: [],
  })
  expect([containers(here), here.engine.executed.length, here.engine.state.files]).toEqual(before)
  const deployed = await call(deploy, { ports: here.ports, as: 'operator', path, body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded', steps: [] })
})

test('201: repeats the answer if it was lost', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const first = await completeAdoption(here, id, bundle)
  const again = await completeAdoption(here, id, bundle)
  expect(again.json).toEqual(first.json)
})

test.each(['owners', 'uploads'] as const)(
  '201: can be repeated if the process died before it wrote to %s',
  async (store) => {
    const here = await running()
    const { ports } = here
    for (const owner of await ports.owners.list('local')) await ports.owners.release(owner)
    const bundle = await bundleOf({ 'compose.yaml': shop })
    const id = await sendBundle(here, bundle)
    const dies = async () => {
      throw new Error('killed')
    }
    const dying = {
      ...ports,
      [store]: { ...ports[store], claim: dies, save: dies },
    }
    expect((await completeAdoption({ ...here, ports: dying }, id, bundle)).status).toBe(500)
    const again = await completeAdoption(here, id, bundle)
    expect([again.status, again.json.name]).toEqual([201, 'shop'])
    const owned = (await ports.owners.list('local')).filter((owner) => owner.stack === 'shop')
    expect(owned.map(({ name }) => name)).toContain('shop_data')
    expect(await ports.uploads.received(id)).toEqual([])
  },
)

test('201: reports differences by service and field, without values of variables', async () => {
  const here = await running()
  const compose = shop.replace(
    'command: sleep 3600',
    'command: sleep 5\n    environment: {KEY: hidden}',
  )
  const answer = await runAdoption(here, await bundleOf({ 'compose.yaml': compose }))
  expect(answer.json.differences).toEqual([
    { service: 'web', field: 'command', running: '["sleep","3600"]', bundle: '["sleep","5"]' },
    { service: 'web', field: 'environment.KEY', running: null, bundle: null },
  ])
  expect(answer.json.warnings).toEqual([
    'compose.yaml: the file on the host differs from the bundle',
  ])
  expect(answer.text).not.toContain('hidden')
})

test('201: reports the other differences if a container vanishes while they are read', async () => {
  const here = await running()
  const { container } = here.engine
  here.engine.container = async (id) => {
    const details = await container(id)
    if (details.service === 'db') throw notFound(`No such container: ${id}`)
    return details
  }
  const compose = shop.replaceAll(/command: sleep .*/g, 'command: sleep 5')
  const { json } = await runAdoption(here, await bundleOf({ 'compose.yaml': compose }))
  expect(json.differences).toEqual([
    { service: 'db', field: 'no container', running: null, bundle: null },
    { service: 'web', field: 'command', running: '["sleep","3600"]', bundle: '["sleep","5"]' },
  ])
  expect(json.warnings.join()).not.toContain('a deploy would be rejected')
})

test('201: keeps .env, overlays and other files byte for byte', async () => {
  const here = await running()
  const bytes = randomBytes(1000)
  const bundle = await archiveOf([
    [{ name: './', type: 'directory' }],
    [{ name: './compose.yaml' }, shop],
    [{ name: './.env' }, 'SECONDS=3600\n'],
    [{ name: './compose.prod.yaml' }, 'services: {web: {command: sleep 1}}'],
    [{ name: './compose.broken.yaml' }, 'services: [}'],
    [{ name: './bin/', type: 'directory' }],
    [{ name: './bin/run', mode: 0o755 }, '#!/bin/sh\n'],
    [{ name: './logo.png' }, bytes],
  ])
  const { json } = await runAdoption(here, bundle)
  expect(json.warnings).toContainEqual(expect.stringContaining('compose.broken.yaml'))
  const shown = await call(getStack, { ports: here.ports, as: 'admin', path })
  expect(shown.json).toMatchObject({ env: 'SECONDS=3600\n', compose: shop })
  expect(Object.keys(shown.json.overlays)).toEqual(['prod'])
  expect(shown.json.files).toContainEqual(
    expect.objectContaining({ path: 'logo.png', size: 1000, secret: false }),
  )
  await call(deploy, { ports: here.ports, as: 'operator', path, body: { on_drift: 'overwrite' } })
  const { files } = here.engine.state
  expect(Buffer.compare(present(files.get('/opt/stacks/shop/logo.png')).content, bytes)).toBe(0)
  expect(files.get('/opt/stacks/shop/bin/run')?.mode).toBe(0o755)
})

test('201: the next deploy changes only the edited service', async () => {
  const here = await running()
  await runAdoption(here, await bundleOf({ 'compose.yaml': shop }))
  const compose = shop.replace('command: sleep 3600', 'command: sleep 7200')
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, body: {} })
  expect(json.status).toBe('succeeded')
  const names = json.steps
    .filter((step: Json) => step.kind === 'container')
    .map((s: Json) => s.name)
  expect(names.every((name: string) => name.includes('web'))).toBe(true)
})

const zeros = () => gzipSync(Buffer.alloc(210 * 1024 * 1024))
const bomb = () => archiveOf([good, [{ name: 'zeros' }, Buffer.alloc(210 * 1024 * 1024)]])
const hostile: [string, () => Promise<Buffer> | Buffer, string][] = [
  ['a path outside the directory', () => archiveOf([good, [{ name: '../x' }, 'x']]), '"../x"'],
  [
    'a path that leaves the directory midway',
    () => archiveOf([good, [{ name: 'a/../../x' }, 'x']]),
    'leaves',
  ],
  ['an absolute path', () => archiveOf([good, [{ name: '/etc/cron.d/x' }, 'x']]), 'absolute'],
  [
    'a symbolic link',
    () => archiveOf([good, [{ name: 'l', type: 'symlink', linkname: '/etc' }]]),
    'symlink',
  ],
  [
    'a hard link',
    () => archiveOf([good, [{ name: 'l', type: 'link', linkname: 'compose.yaml' }]]),
    'link',
  ],
  ['a device', () => archiveOf([good, [{ name: 'd', type: 'character-device' }]]), 'device'],
  ['a pipe', () => archiveOf([good, [{ name: 'p', type: 'fifo' }]]), 'fifo'],
  ['the same file twice', () => archiveOf([good, [{ name: './compose.yaml' }, 'x']]), 'twice'],
  ['a file inside a file', () => archiveOf([good, [{ name: 'compose.yaml/x' }, 'x']]), 'inside'],
  ['a set-user-id bit', () => archiveOf([good, [{ name: 's', mode: 0o4755 }, 'x']]), 'set-user-id'],
  ['a line break in a name', () => archiveOf([good, [{ name: 'a\nb' }, 'x']]), 'characters'],
  [
    'too many files',
    () =>
      archiveOf([good, ...Array.from({ length: 10_000 }, (_, at): Entry => [{ name: `f${at}` }])]),
    '10000',
  ],
  ['a decompression bomb', bomb, 'larger than'],
  ['a huge amount of zeros', zeros, 'too large'],
  ['data other than gzip', () => Buffer.from('compose.yaml'), 'not a complete tar.gz'],
  ['data other than an archive', () => gzipSync(randomBytes(5000)), 'not a complete tar.gz'],
  [
    'a missing end',
    async () =>
      (await bundleOf({ 'compose.yaml': shop, x: randomBytes(90_000) })).subarray(0, 50_000),
    'not a complete tar.gz',
  ],
]

test.each(hostile)('400: rejects a bundle with %s', async (_what, make, said) => {
  const here = await running()
  const before = new Map(here.engine.state.files)
  const { status, json } = await runAdoption(here, await make())
  expect([status, json.error]).toEqual([400, expect.stringContaining(said)])
  expect(await here.ports.stacks.find('shop')).toBeUndefined()
  expect(here.engine.state.files).toEqual(before)
})

test('400: a bundle that does not match its digest', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const { status, json } = await completeAdoption(here, id, Buffer.from('other'))
  expect([status, json.error]).toEqual([400, expect.stringContaining('SHA-256')])
})

test('403: a bundle that needs more permissions than its adopter has', async () => {
  const compose = shop.replace('command: sleep 3600', 'privileged: true')
  const here = await running()
  const { status, json } = await runAdoption(here, await bundleOf({ 'compose.yaml': compose }))
  expect([status, json.error]).toEqual([403, expect.stringContaining('services.web.privileged')])
  expect(await here.ports.stacks.find('shop')).toBeUndefined()
})

test.each<[string, number, string, (here: World) => unknown]>([
  [
    'its directory became a link',
    403,
    'link',
    (here) => here.engine.state.links.set('/opt/stacks/shop', '/etc'),
  ],
  [
    'a container became privileged',
    403,
    'Privileged',
    (here) => changeContainer(here, 'shop-web-1', { HostConfig: { Privileged: true } }),
  ],
  [
    'another project has its name',
    403,
    'its labels name the directory /etc',
    (here) => changeContainer(here, 'shop-web-1', { Labels: { [label.workingDir]: '/etc' } }),
  ],
  ['its containers are those of a build', 422, 'no such project', imagesHaveLabels],
  ['another stack has its directory', 409, 'directory of stack other', givenStackInDirectory],
])('%s since the adoption began: refuses to complete it', async (_what, expected, said, change) => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  await change(here)
  const { status, json } = await completeAdoption(here, id, bundle)
  expect([status, json.error]).toEqual([expected, expect.stringContaining(said)])
  expect(await here.ports.stacks.find('shop')).toBeUndefined()
})

test('404: another user’s adoption, an expired one, or an unknown one', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  const body = { sha256: 'a'.repeat(64) }
  const other = await call(complete, { ports: here.ports, as: 'admin', path: { id }, body })
  expect(other.status).toBe(404)
  here.ports.clock.advance(24 * 3600 * 1000)
  expect((await completeAdoption(here, id, bundle)).status).toBe(404)
  expect((await completeAdoption(here, 'none', bundle)).status).toBe(404)
})

test('409: parts are missing', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop, data: randomBytes(5_000_000) })
  const id = await sendBundle(here, bundle, { parts: [1] })
  const { status, json } = await completeAdoption(here, id, bundle)
  expect([status, json.error]).toEqual([409, expect.stringMatching(/missing: 0$/)])
})

test('409: a stack with that name was created in the meantime', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  await givenStack(here, 'shop', { deployed: false })
  expect((await completeAdoption(here, id, bundle)).status).toBe(409)
})

test('409: the adopted stack was deleted, and another one has its name', async () => {
  const here = await running()
  const { ports } = here
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  await completeAdoption(here, id, bundle)
  ports.clock.advance(1)
  await call(update, { ports, as: 'admin', path, body: { compose: `${shop}# edited\n` } })
  expect((await completeAdoption(here, id, bundle)).json).toMatchObject({ revision: 2 })
  await call(remove, { ports, as: 'admin', path })
  const deleted = await completeAdoption(here, id, bundle)
  await givenStack(here, 'shop', { deployed: false })
  const replaced = await completeAdoption(here, id, bundle)
  for (const { status, json } of [deleted, replaced]) {
    const error = 'stack shop: it was adopted and has been deleted since'
    expect([status, json]).toEqual([409, expect.objectContaining({ error })])
  }
})

test('422: names services that are in only one of project and bundle', async () => {
  const here = await running()
  const compose = shop.replace('  web:', '  site:')
  const { status, json } = await runAdoption(here, await bundleOf({ 'compose.yaml': compose }))
  expect(status).toBe(422)
  expect(json.error).toContain('not in the bundle: web')
  expect(json.error).toContain('without a container: site')
  expect(await here.ports.stacks.find('shop')).toBeUndefined()
})

test('422: a bundle without compose.yaml, or one that does not load', async () => {
  const here = await running()
  const none = await runAdoption(here, await bundleOf({ 'docker-compose.yml': shop }))
  expect([none.status, none.json.error]).toEqual([422, expect.stringContaining('compose.yaml')])
  const odd = await runAdoption(here, await bundleOf({ 'compose.yaml': 'services: 7' }))
  expect([odd.status, odd.json.error]).toEqual([422, expect.stringContaining('services')])
})

test('422: the project no longer runs', async () => {
  const here = await running()
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendBundle(here, bundle)
  here.engine.state.containers.clear()
  here.engine.state.touch()
  expect((await completeAdoption(here, id, bundle)).status).toBe(422)
})

test('201: files that the compose files call secret are marked', async () => {
  const here = await running()
  const compose = `services:
  db: {image: busybox:latest, env_file: db.conf}
  web: {image: busybox:latest}
`
  const files = { 'compose.yaml': compose, 'db.conf': 'A=1', 'tls.key': 'x', 'site.conf': 'x' }
  expect((await runAdoption(here, await bundleOf(files))).status).toBe(201)
  const { json } = await call(getStack, { ports: here.ports, as: 'viewer', path })
  const secret = (json.files as { path: string; secret: boolean }[]).filter((one) => one.secret)
  expect(secret.map((one) => one.path)).toEqual(['db.conf', 'tls.key'])
})
