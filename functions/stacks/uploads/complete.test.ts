import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { archiveOf, bundleOf, type Entry } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import {
  completeUpload,
  editor,
  filesOf,
  givenEditor,
  sendUpload,
  uploadFiles,
} from '../../../local/harness/stack-files.ts'
import { givenStack, shop, world } from '../../../local/harness/world.ts'
import { internalError } from '../../core/errors.ts'
import { sweepTexts } from '../../core/retention/sweep-texts.ts'
import complete from './complete.ts'

const megabyte = 1024 * 1024
const day = 24 * 3600 * 1000

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  return { ...here, files: filesOf(here) }
}

const link = (name: string, linkname: string): Entry => [{ name, type: 'symlink', linkname }]

test('200: files, modes, links and compose.yaml as one revision, and deletes files', async () => {
  const { files, ...here } = await given()
  await files.put('old.conf', 'x')
  await files.put('kept.conf', 'x')
  const big = randomBytes(5 * megabyte)
  const bundle = await archiveOf([
    [{ name: './', type: 'directory' }],
    [{ name: './compose.yaml' }, `${shop}# new\n`],
    [{ name: 'bin/run.sh', mode: 0o755 }, '#!/bin/sh\n'],
    [{ name: 'data/big.bin' }, big],
    [{ name: '.env', mode: 0o644 }, 'SECONDS=9'],
    link('now', 'bin/run.sh'),
  ])
  const { status, json } = await uploadFiles(here, bundle, ['old.conf', 'never.conf'])
  expect([status, json.revision]).toEqual([200, 4])
  expect((await files.list()).json).toMatchObject([
    { path: '.env', mode: '0600', secret: true },
    { path: 'bin/run.sh', mode: '0755' },
    { path: 'compose.yaml' },
    {
      path: 'data/big.bin',
      size: big.length,
      digest: createHash('sha256').update(big).digest('hex'),
    },
    { path: 'kept.conf' },
    { path: 'now', link: 'bin/run.sh' },
  ])
  expect((await files.get('compose.yaml')).json.content).toBe(`${shop}# new\n`)
})

test('200: what a compose file refers to may be in the same bundle', async () => {
  const here = await given()
  const compose = 'services: {web: {image: busybox:latest, env_file: api.conf}}'
  const bundle = await bundleOf({ 'compose.yaml': compose, 'api.conf': 'A=1' })
  expect((await uploadFiles(here, bundle)).status).toBe(200)
  expect((await here.files.get('api.conf')).json.secret).toBe(true)
})

test('200: an upload that changes nothing makes no revision', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a', 'compose.yaml': shop })
  expect((await uploadFiles(here, bundle)).json.revision).toBe(2)
  expect((await uploadFiles(here, bundle)).json.revision).toBe(2)
})

test('200: repeats the answer if it was lost, and removes the parts', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle, { revision: 1 })
  const first = await completeUpload(here, id, bundle)
  expect(await here.ports.uploads.received(id)).toEqual([])
  await here.files.put('b', 'b')
  const again = await completeUpload(here, id, bundle)
  expect([first.json.revision, again.status, again.json.revision]).toEqual([2, 200, 3])
})

test('200: a process that dies after the change has made it once', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle, { revision: 1 })
  const { save } = here.ports.uploads
  here.ports.uploads.save = async () => {
    throw internalError('The process is killed')
  }
  expect((await completeUpload(here, id, bundle)).status).toBe(500)
  here.ports.uploads.save = save
  const again = await completeUpload(here, id, bundle)
  expect([again.status, again.json.revision]).toEqual([200, 2])
})

test('500: a process that dies while files are stored changes nothing', async () => {
  const { files, ...here } = await given()
  const bundle = await bundleOf({ a: 'a', b: 'b', 'compose.yaml': `${shop}# new\n` })
  const id = await sendUpload(here, bundle)
  const { putMany } = here.ports.texts
  here.ports.texts.putMany = async (contents) => {
    await putMany(contents.slice(0, 1))
    throw internalError('The process is killed')
  }
  expect((await completeUpload(here, id, bundle)).status).toBe(500)
  expect((await files.list()).json).toMatchObject([{ path: 'compose.yaml' }])
  here.ports.texts.putMany = putMany
  expect((await completeUpload(here, id, bundle)).json.revision).toBe(2)
  expect((await files.list()).json).toHaveLength(3)
})

test('200: two processes complete one upload, which makes one revision', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle, { revision: 1 })
  const both = await Promise.all([1, 2].map(() => completeUpload(here, id, bundle)))
  expect(both.map(({ status, json }) => [status, json.revision])).toEqual([
    [200, 2],
    [200, 2],
  ])
})

test('200: a second completion that comes late does not undo what was changed since', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle)
  const { putMany } = here.ports.texts
  let isFirst = true
  // The first process is paused while it stores the files, and another one completes the upload.
  here.ports.texts.putMany = async (contents) => {
    if (isFirst) {
      isFirst = false
      expect((await completeUpload(here, id, bundle)).json.revision).toBe(2)
      expect((await here.files.put('a', 'changed')).json.revision).toBe(3)
    }
    return putMany(contents)
  }
  const late = await completeUpload(here, id, bundle)
  expect([late.status, late.json.revision]).toEqual([200, 3])
  expect((await here.files.get('a')).json.content).toBe('changed')
})

test('404: the stack was deleted and created again, before or while it is completed', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const ids = [await sendUpload(here, bundle), await sendUpload(here, bundle)]
  const again = async () => {
    await here.ports.stacks.remove('shop')
    here.ports.clock.advance(1)
    await givenStack(here, 'shop', { deployed: false })
  }
  const { putMany } = here.ports.texts
  here.ports.texts.putMany = async (contents) => {
    await again()
    return putMany(contents)
  }
  expect((await completeUpload(here, ids[0] ?? '', bundle)).status).toBe(404)
  here.ports.texts.putMany = putMany
  expect((await completeUpload(here, ids[1] ?? '', bundle)).status).toBe(404)
  expect((await here.files.get('a')).status).toBe(404)
  expect((await uploadFiles(here, bundle)).status).toBe(200)
})

test('200: files that were stored long ago and never used are there after a sweep', async () => {
  const here = await given()
  const { ports } = here
  const bundle = await bundleOf({ a: 'stored before' })
  const { replace } = ports.stacks
  const isKilled = async () => {
    throw internalError('The process is killed')
  }
  const complete = async () => completeUpload(here, await sendUpload(here, bundle), bundle)
  const sweep = () => sweepTexts(ports, new AbortController().signal)
  ports.stacks.replace = isKilled
  expect((await complete()).status).toBe(500)
  ports.clock.advance(2 * day)
  expect(await sweep()).toBe(0)
  ports.clock.advance(2 * day)
  // A day after the mark, the sweep would remove the content. Now it is stored again.
  ports.stacks.replace = async (stack) => {
    expect(await sweep()).toBe(0)
    return replace(stack)
  }
  expect((await complete()).status).toBe(200)
  ports.stacks.replace = replace
  for (const _ of [1, 2, 3]) {
    ports.clock.advance(2 * day)
    await sweep()
  }
  expect((await here.files.get('a')).json.content).toBe('stored before')
})

test('409: parts are missing, or the revision is stale, which changes nothing', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle, { revision: 1 })
  await here.files.put('b', 'b')
  const stale = await completeUpload(here, id, bundle)
  expect([stale.status, stale.headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  await here.ports.uploads.removeParts(id)
  expect((await completeUpload(here, id, bundle)).status).toBe(409)
  expect((await here.files.get('a')).status).toBe(404)
})

const sparse: Entry = [{ name: 'a', pax: { 'GNU.sparse.major': '1' } }, 'x']

test.each<[string, Entry[], string]>([
  ['a path outside of the directory', [[{ name: '../a' }, 'x']], 'leaves the directory'],
  ['an absolute path', [[{ name: '/etc/a' }, 'x']], 'is absolute'],
  ['a name that is not UTF-8', [[{ name: 'a\ufffd' }, 'x']], 'characters'],
  [
    'a hard link',
    [[{ name: 'a' }, 'x'], [{ name: 'b', type: 'link', linkname: 'a' }]],
    'is a link',
  ],
  ['a device', [[{ name: 'a', type: 'block-device' }]], 'is a block-device'],
  ['a FIFO', [[{ name: 'a', type: 'fifo' }]], 'is a fifo'],
  ['a sparse file', [sparse], 'is a sparse file'],
  ['a set-user-id file', [[{ name: 'a', mode: 0o4755 }, 'x']], 'is set-user-id'],
  [
    'the same path twice',
    [
      [{ name: 'a' }, '1'],
      [{ name: './a' }, '2'],
    ],
    'is contained twice',
  ],
  ['a file and a link of one path', [[{ name: 'a' }, '1'], link('a', 'b')], 'is contained twice'],
  ['a link out of the directory', [link('a', '../b')], 'leaves the directory'],
  ['an absolute link', [link('a', '/etc/passwd')], 'is absolute'],
  ['a link to itself', [link('a', 'a')], 'contains the link itself'],
  ['a link without a target', [link('a', '')], ''],
  ['links to each other', [link('a', 'b'), link('b', 'a')], 'behind the link'],
  ['a file below a link', [link('a', 'b'), [{ name: 'a/x' }, 'x']], 'is inside a symlink'],
  [
    'a link where files are',
    [[{ name: 'a/x' }, 'x'], link('a', 'b')],
    'is a symlink, but an earlier',
  ],
  ['compose.yaml as a link', [link('compose.yaml', 'a')], 'cannot be a link'],
  ['another spelling of .env', [[{ name: '.Env' }, 'x']], 'another spelling of .env'],
])('400: %s, which changes nothing', async (_name, entries, why) => {
  const here = await given()
  const good: Entry = [{ name: 'good' }, 'x']
  const { status, json } = await uploadFiles(here, await archiveOf([good, ...entries]))
  expect([status, json.error]).toEqual([400, expect.stringContaining(why)])
  expect((await here.files.list()).json).toMatchObject([{ path: 'compose.yaml' }])
})

test.each<[string, Entry[]]>([
  [
    'two cases of one name',
    [
      [{ name: 'readme' }, '1'],
      [{ name: 'README' }, '2'],
    ],
  ],
  [
    'two normal forms',
    [
      [{ name: 'caf\u00e9' }, '1'],
      [{ name: 'cafe\u0301' }, '2'],
    ],
  ],
  ['a file that the stack has as a directory', [[{ name: 'conf' }, 'x']]],
  ['a compose file that does not load', [[{ name: 'compose.yaml' }, 'services: [']]],
])('422: %s, which changes nothing', async (_name, entries) => {
  const here = await given()
  await here.files.put('conf/a', 'x')
  const { status } = await uploadFiles(here, await archiveOf(entries))
  expect(status).toBe(422)
  expect((await here.files.list()).json).toHaveLength(2)
})

test('400 and 422: a bomb is refused before it is unpacked', async () => {
  const here = await given()
  await here.ports.settings.save({
    'stack.max_bytes': 2 * megabyte,
    'stack.max_file_bytes': megabyte,
  })
  const zeros = (bytes: number) => Buffer.alloc(bytes)
  const cases: [Buffer, number, string][] = [
    [await bundleOf({ a: zeros(2 * megabyte) }), 422, 'stack.max_file_bytes'],
    [
      await bundleOf({ a: zeros(megabyte), b: zeros(megabyte), c: zeros(9) }),
      422,
      'stack.max_bytes',
    ],
    [gzipSync(zeros(64 * megabyte)), 400, ''],
  ]
  for (const [bundle, status, why] of cases) {
    const answer = await uploadFiles(here, bundle)
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(why)])
  }
  await here.ports.settings.save({ 'stack.max_files': 2 })
  const many = await bundleOf({ a: '', b: '', c: '' })
  expect((await uploadFiles(here, many)).json.error).toContain('stack.max_files')
})

test('400: another digest, no archive, or a file to delete that is in the bundle', async () => {
  const here = await given()
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle)
  const path = { name: 'shop', id }
  const body = { sha256: 'a'.repeat(64) }
  const wrong = await call(complete, { ports: here.ports, as: 'operator', path, body })
  expect([wrong.status, wrong.json.error]).toEqual([400, expect.stringContaining('SHA-256')])
  const both = await completeUpload(here, id, bundle, { remove: ['a'] })
  expect([both.status, both.json.error]).toEqual([400, expect.stringContaining('body.remove')])
  expect((await uploadFiles(here, bundle, ['../x'])).status).toBe(400)
  expect((await uploadFiles(here, Buffer.from('no archive'))).status).toBe(400)
})

test('404: an upload of another account, of another stack, or an adoption', async () => {
  const here = await given()
  await givenStack(here, 'other', { deployed: false })
  const bundle = await bundleOf({ a: 'a' })
  const id = await sendUpload(here, bundle)
  const body = { sha256: 'a'.repeat(64) }
  const ask = (name: string, upload: string, as: 'operator' | 'admin') =>
    call(complete, { ports: here.ports, as, path: { name, id: upload }, body })
  expect((await ask('shop', id, 'admin')).status).toBe(404)
  expect((await ask('other', id, 'operator')).status).toBe(404)
  expect((await ask('shop', 'none', 'operator')).status).toBe(404)
  const upload = present(await here.ports.uploads.find(id))
  const { purpose: _, ...adoption } = upload
  await here.ports.uploads.save(adoption)
  expect((await ask('shop', id, 'operator')).status).toBe(404)
  await here.ports.uploads.save(upload)
  here.ports.clock.advance(24 * 3600 * 1000)
  expect((await ask('shop', id, 'operator')).status).toBe(404)
})

test('403: without stacks:secrets an upload makes no secret file public', async () => {
  const here = await given()
  await givenEditor(here)
  await here.files.put('api.conf', 'A=1')
  await here.files.put(
    'compose.yaml',
    'services: {web: {image: busybox:latest, env_file: api.conf}}',
  )
  const bundle = await bundleOf({ 'compose.yaml': shop })
  const id = await sendUpload(here, bundle, { as: editor })
  expect((await completeUpload(here, id, bundle, { as: editor })).status).toBe(200)
  expect((await filesOf(here, editor).get('api.conf')).status).toBe(403)
})
