import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { storeFile } from '../../adapters/testing/put-content.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import type { StackTree, TreeEntry } from '../core/records/stack-tree.ts'
import { readTexts, storeTexts } from '../core/stacks/texts.ts'
import { readFile, readTree } from '../core/stacks/tree.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import remove from './remove.ts'
import rollback from './rollback.ts'

const path = { name: 'shop' }
const directory = '/opt/stacks/shop'
const mounts = `services:
  web:
    image: nginx:1
    volumes: [./public:/public:ro, ./conf.d:/conf, ./acme.json:/acme.json]
`

type Files = Record<
  string,
  string | { content: Uint8Array | string; mode: number } | { link: string }
>

/** Saves a revision of the stack with these files besides compose.yaml. */
async function save({ ports }: World, files: Files, compose = mounts): Promise<void> {
  const stack = present(await ports.stacks.find('shop'))
  const entries = Object.entries(files).map(async ([name, file]): Promise<[string, TreeEntry]> => {
    if (typeof file === 'object' && 'link' in file) return [name, file]
    const { content, mode } = typeof file === 'string' ? { content: file, mode: 0o644 } : file
    return [name, await storeFile(Buffer.from(content), mode, ports)]
  })
  const tree: StackTree = Object.fromEntries(await Promise.all(entries))
  const kept = await storeTexts({ ...(await readTexts(stack.files, ports)), compose, tree }, ports)
  const contentRevision = stack.contentRevision + 1
  present(await ports.stacks.replace({ ...stack, files: kept, contentRevision }))
}

async function given(files: Files, compose?: string) {
  const here = world()
  here.engine.state.images.set('nginx:1', 'sha256:one')
  await givenStack(here, 'shop', { deployed: false })
  await save(here, files, compose)
  const writes: { written: string[]; removed: readonly string[]; bytes: number }[] = []
  const { writeFiles } = here.engine
  here.engine.writeFiles = async (to, some, gone = []) => {
    const bytes = some.reduce((sum, one) => sum + ('content' in one ? one.content.length : 0), 0)
    writes.push({ written: some.map((one) => one.path).sort(), removed: gone, bytes })
    return writeFiles(to, some, gone)
  }
  return { here, writes }
}

const deploys = async ({ ports }: World, body: object = {}) => {
  const { status, json } = await call(deploy, { ports, as: 'admin', path, body })
  return { status, error: json.error, state: json.status, id: json.id }
}
const done = { status: 200, state: 'succeeded' }
const drift = async ({ ports }: World) => (await call(get, { ports, as: 'admin', path })).json.drift

/** Returns the files and links in the stack's directory. */
function onHost({ engine }: World): Record<string, string> {
  const { files, links } = engine.state
  const all = [
    ...[...files].map(([place, { content }]) => [place, Buffer.from(content).toString('latin1')]),
    ...[...links].map(([place, link]) => [place, `-> ${link}`]),
  ].filter(([place]) => place?.startsWith(`${directory}/`))
  return Object.fromEntries(
    all.map(([place = '', text = '']) => [place.slice(directory.length + 1), text]),
  )
}

const edit = ({ engine }: World, name: string, text: string) =>
  engine.state.files.set(`${directory}/${name}`, {
    path: name,
    content: Buffer.from(text),
    mode: 0o644,
  })

test('200: writes files with their modes, links and bytes, and then only what changed', async () => {
  const binary = Uint8Array.from([0, 255, 1])
  const files: Files = {
    'public/index.html': 'one',
    'public/current': { link: 'index.html' },
    'public/logo.png': { content: binary, mode: 0o644 },
    'bin/run': { content: '#!/bin/sh', mode: 0o755 },
  }
  const { here, writes } = await given(files)
  expect(await deploys(here)).toMatchObject(done)
  expect(onHost(here)).toMatchObject({
    'public/index.html': 'one',
    'public/current': '-> index.html',
    'public/logo.png': '\0\u00ff\u0001',
    'bin/run': '#!/bin/sh',
  })
  expect(here.engine.state.files.get(`${directory}/bin/run`)?.mode).toBe(0o755)
  writes.length = 0
  expect(await deploys(here)).toMatchObject(done)
  expect(writes).toEqual([])
  const { 'public/current': _, ...rest } = files
  const changed = { 'public/index.html': 'two', 'bin/run': { content: '#!/bin/sh', mode: 0o644 } }
  await save(here, { ...rest, ...changed })
  expect(await deploys(here)).toMatchObject(done)
  expect(writes).toMatchObject([
    { written: ['bin/run', 'public/index.html'], removed: ['public/current'] },
  ])
  expect(onHost(here)).not.toHaveProperty(['public/current'])
})

test('409: a file or link that was edited on the host is not overwritten unasked', async () => {
  const { here } = await given({ 'public/a': 'one', 'public/l': { link: 'a' }, 'public/b': 'b' })
  await deploys(here)
  edit(here, 'public/a', 'two')
  here.engine.state.links.set(`${directory}/public/l`, '/etc/passwd')
  here.engine.state.files.delete(`${directory}/public/b`)
  expect(await drift(here)).toEqual([
    { path: 'public/a', change: 'modified' },
    { path: 'public/b', change: 'missing' },
    { path: 'public/l', change: 'modified' },
  ])
  expect(await deploys(here)).toMatchObject({
    status: 409,
    error: expect.stringContaining('public/a (modified), public/b (missing)'),
  })
  expect(await deploys(here, { on_drift: 'overwrite' })).toMatchObject(done)
  expect(onHost(here)).toMatchObject({ 'public/a': 'one', 'public/l': '-> a', 'public/b': 'b' })
  expect(await drift(here)).toEqual([])
})

test('200: imports edited files with their bytes and modes', async () => {
  const { here } = await given({ 'public/a': 'one', 'public/b': 'b', 'public/l': { link: 'a' } })
  await deploys(here)
  const content = Buffer.from([255, 0, 7])
  here.engine.state.files.set(`${directory}/public/a`, { path: 'public/a', content, mode: 0o755 })
  here.engine.state.files.delete(`${directory}/public/b`)
  here.engine.state.links.set(`${directory}/public/l`, '../bin')
  expect(await deploys(here, { on_drift: 'import' })).toMatchObject(done)
  const { files } = present(await here.ports.stacks.find('shop'))
  const tree = await readTree(files, here.ports)
  expect(Object.keys(tree).sort()).toEqual(['public/a', 'public/l'])
  expect(tree).toMatchObject({
    'public/a': { mode: 0o755, size: 3 },
    'public/l': { link: '../bin' },
  })
  const kept = await readFile(tree['public/a'] as { digest: string }, here.ports)
  expect(Buffer.compare(kept, content)).toBe(0)
})

test('200: a rollback brings back files and links, and removes what came later', async () => {
  const { here } = await given({ 'public/a': 'one', 'public/l': { link: 'a' } })
  const { id } = await deploys(here)
  await save(here, { 'public/a': 'two', 'public/new': 'x' })
  await deploys(here)
  expect(onHost(here)).toMatchObject({ 'public/a': 'two', 'public/new': 'x' })
  const asked = { ports: here.ports, as: 'admin', path, body: { deployment_id: id } } as const
  expect((await call(rollback, asked)).status).toBe(200)
  const { 'compose.yaml': _, '.env': _env, ...rest } = onHost(here)
  expect(rest).toEqual({ 'public/a': 'one', 'public/l': '-> a' })
})

test('200: files in a directory that a container can write are only a seed', async () => {
  const { here, writes } = await given({ 'conf.d/a.conf': 'a', 'conf.d/b.conf': 'b' })
  edit(here, 'conf.d/a.conf', 'own')
  expect(await deploys(here)).toMatchObject(done)
  expect(onHost(here)).toMatchObject({ 'conf.d/a.conf': 'own', 'conf.d/b.conf': 'b' })
  edit(here, 'conf.d/b.conf', 'edited')
  expect(await drift(here)).toEqual([])
  writes.length = 0
  await save(here, { 'conf.d/b.conf': 'newer' })
  expect(await deploys(here, { on_drift: 'overwrite' })).toMatchObject(done)
  expect(writes).toEqual([])
  // The mount is gone, but what is in the directory is still the data of the host.
  await save(here, {}, 'services: {web: {image: "nginx:1"}}')
  expect(await deploys(here)).toMatchObject(done)
  const gone = { ports: here.ports, as: 'admin', path } as const
  expect((await call(remove, gone)).status).toBe(204)
  expect(onHost(here)).toEqual({ 'conf.d/a.conf': 'own', 'conf.d/b.conf': 'edited' })
})

test('409: a directory that is mounted read-only again is managed again', async () => {
  const { here } = await given({ 'conf.d/a.conf': 'a' })
  await deploys(here)
  edit(here, 'conf.d/a.conf', 'edited')
  await save(here, { 'conf.d/a.conf': 'a' }, mounts.replace('./conf.d:/conf', './conf.d:/conf:ro'))
  expect(await deploys(here)).toMatchObject({ status: 409 })
  expect(await deploys(here, { on_drift: 'overwrite' })).toMatchObject(done)
  expect(onHost(here)).toMatchObject({ 'conf.d/a.conf': 'a' })
})

test('a file that a container can write is edited only if a deploy is about to write it', async () => {
  const { here, writes } = await given({ 'acme.json': '{}' })
  await deploys(here)
  edit(here, 'acme.json', '{"account": 1}')
  expect(await drift(here)).toEqual([])
  writes.length = 0
  expect(await deploys(here)).toMatchObject(done)
  expect(writes).toEqual([])
  await save(here, { 'acme.json': '{"new": 1}' })
  expect(await deploys(here)).toMatchObject({
    status: 409,
    error: expect.stringContaining('acme.json (modified)'),
  })
  expect(onHost(here)['acme.json']).toBe('{"account": 1}')
})

test('200: a file becomes a directory, and the reverse', async () => {
  const { here, writes } = await given({ a: 'file', 'b/c': 'x' })
  await deploys(here)
  writes.length = 0
  await save(here, { 'a/b': 'x', b: 'file' })
  expect(await deploys(here)).toMatchObject(done)
  expect(writes.map(({ removed }) => [...removed].sort())).toEqual([['a', 'b/c'], []])
  expect(onHost(here)).toMatchObject({ 'a/b': 'x', b: 'file' })
})

test('200: writes a large tree in parts, and none of it is read again for a small change', async () => {
  const large = Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => [`public/${index}`, `${index}`.repeat(500_000)]),
  )
  const { here, writes } = await given(large)
  expect(await deploys(here)).toMatchObject(done)
  expect(writes.length).toBeGreaterThan(1)
  for (const { bytes } of writes) expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
  await save(here, { ...large, 'public/0': 'changed' })
  const reads: string[] = []
  const { getBytes } = here.ports.texts
  here.ports.texts.getBytes = async (digest) => {
    reads.push(digest)
    return getBytes(digest)
  }
  expect(await deploys(here)).toMatchObject(done)
  expect(reads).toHaveLength(1)
  expect(onHost(here)['public/0']).toBe('changed')
})

test.each<[string, Files, string | undefined]>([
  ['to a file', { 'public/l': { link: 'a' }, 'public/a': 'x' }, undefined],
  ['to a missing file', { 'public/l': { link: 'a' } }, undefined],
  ['in a directory of a container', { 'conf.d/l': { link: 'a' } }, undefined],
  ['to a directory of a container', { l: { link: 'conf.d' } }, 'conf.d'],
  ['into it', { 'public/l': { link: '../conf.d/a/b' } }, 'conf.d'],
  ['through it', { l: { link: 'conf.d/../public' } }, 'conf.d'],
  ['by another link', { l: { link: 'm' }, m: { link: 'acme.json' } }, 'acme.json'],
  ['out of the stack', { l: { link: '../other' } }, 'not in the stack'],
])('a link that leads %s', async (_where, files, refused) => {
  const { here } = await given(files)
  const asked = { ports: here.ports, path, body: {} }
  const { status, json } = await call(deploy, { ...asked, as: 'operator' })
  expect(status).toBe(refused === undefined ? 200 : 403)
  if (refused === undefined) return
  expect(json.error).toContain(refused)
  expect((await call(deploy, { ...asked, as: 'admin' })).status).toBe(200)
})

test('200: a file becomes a directory, and back', async () => {
  const { here } = await given({ conf: 'one', run: 'x' })
  const revisions: Files[] = [{ 'conf/d/a': 'two', 'conf/b': 'x' }, { conf: 'three' }]
  for (const files of revisions) {
    await save(here, files)
    expect(await deploys(here)).toMatchObject(done)
    const { 'compose.yaml': _, ...others } = onHost(here)
    expect(others).toEqual(files)
  }
})

test.each([
  ['a file', 'a directory', { conf: 'x' }, 'conf/own'],
  ['a directory', 'a file', { 'conf/a': 'x' }, 'conf'],
])(
  'a deploy fails where the stack has %s and the host %s of its own',
  async (_, _2, files, own) => {
    const { here } = await given({})
    expect(await deploys(here)).toMatchObject(done)
    edit(here, own, 'precious')
    await save(here, files)
    const body = { on_drift: 'overwrite' }
    const { json } = await call(deploy, { ports: here.ports, as: 'admin', path, body })
    expect(json.status).toBe('failed')
    expect(json.error).toContain('conf in /opt/stacks/shop is a')
    expect(onHost(here)[own]).toBe('precious')
  },
)
