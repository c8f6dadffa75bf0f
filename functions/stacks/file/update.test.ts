import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { filesOf } from '../../../local/harness/stack-files.ts'
import { givenStack, shop, world } from '../../../local/harness/world.ts'
import get from '../get.ts'
import update from './update.ts'

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  return { ...here, files: filesOf(here) }
}

test('200: creates and replaces a file, each as one revision', async () => {
  const { files } = await given()
  const first = await files.put('conf/site.conf', 'listen 80;\n')
  expect([first.status, first.json.revision]).toEqual([200, 2])
  await files.put('conf/site.conf', { content: 'listen 81;\n', mode: '0600', revision: 2 })
  expect((await files.get('conf/site.conf')).json).toMatchObject({
    content: 'listen 81;\n',
    base64: null,
    mode: '0600',
    size: 11,
    revision: 3,
    link: null,
    secret: false,
  })
})

test('200: an identical file makes no revision', async () => {
  const { files } = await given()
  await files.put('run.sh', { content: 'exec true\n', mode: '0755' })
  expect((await files.put('run.sh', 'exec true\n')).json.revision).toBe(2)
  expect((await files.put('run.sh', { content: 'exec true\n', mode: '755' })).json.revision).toBe(2)
  expect((await files.put('run.sh', { content: 'exec true\n', mode: '0644' })).json.revision).toBe(
    3,
  )
  await files.put('l', { link: 'run.sh' })
  expect((await files.put('l', { link: 'run.sh' })).json.revision).toBe(4)
})

test('200: binary content and the empty file', async () => {
  const { files } = await given()
  const base64 = Buffer.from([0, 255, 1]).toString('base64')
  await files.put('logo.png', { base64 })
  expect((await files.get('logo.png')).json).toMatchObject({ base64, content: null, size: 3 })
  await files.put('empty', '')
  expect((await files.get('empty')).json).toMatchObject({ base64: null, content: '', size: 0 })
})

test('200: compose.yaml, .env and overlays too', async () => {
  const { ports, files } = await given()
  await files.put('compose.yaml', `${shop}# changed\n`)
  await files.put('.env', 'SECONDS=9')
  await files.put('compose.prod.yaml', 'services: {}')
  const { json } = await call(get, { ports, as: 'operator', path: { name: 'shop' } })
  expect(json).toMatchObject({
    compose: `${shop}# changed\n`,
    env: 'SECONDS=9',
    revision: 4,
    overlays: { prod: 'services: {}' },
  })
  expect((await files.get('.env')).json).toMatchObject({ content: 'SECONDS=9', mode: '0600' })
})

test('200: a compose file can refer to a file that was put before', async () => {
  const { files } = await given()
  const compose = 'services: {web: {image: busybox:latest, env_file: api.conf}}'
  expect((await files.put('compose.yaml', compose)).status).toBe(422)
  await files.put('api.conf', 'A=1')
  expect((await files.put('compose.yaml', compose)).status).toBe(200)
  const { status, json } = await files.remove('api.conf')
  expect([status, json.error]).toEqual([422, expect.stringContaining('api.conf')])
})

test.each([
  ['/etc/passwd', 'is absolute'],
  ['../x', 'leaves the directory'],
  ['a/../b', 'leaves the directory'],
  ['./a', 'is not a plain path'],
  ['a/', 'is not a plain path'],
  ['a\\b', 'characters'],
  ['a\u0000', 'characters'],
  ['a\nb', 'characters'],
  ['Compose.yaml', 'another spelling of compose.yaml'],
  ['.ENV', 'another spelling of .env'],
  ['compose.PROD.yaml', 'another spelling of compose.prod.yaml'],
  ['compo\u017fe.yaml', 'another spelling of compose.yaml'],
])('400: the path %j', async (path, why) => {
  const { files } = await given()
  const { status, json } = await files.put(path, 'x')
  expect([status, json.error]).toEqual([400, expect.stringContaining(why)])
})

test.each([
  [{}],
  [{ content: 'a', base64: 'YQ==' }],
  [{ content: 'a', link: 'b' }],
  [{ link: 'b', mode: '0644' }],
  [{ base64: 'no base64!' }],
  [{ content: 'a', mode: '4755' }],
  [{ content: 'a', mode: '0888' }],
  [{ content: 'a', mode: 420 }],
  [{ content: 'x'.repeat(2 * 1024 * 1024 + 1) }],
  [{ content: 'a', digest: 'b' }],
])('400: a body that is not a file, %j', async (body) => {
  const { files } = await given()
  expect((await files.put('a', body)).status).toBe(400)
})

test.each([
  ['/etc', 'is absolute'],
  ['../x', 'leaves the directory'],
  ['l', 'contains the link itself'],
  ['.', 'contains the link itself'],
  ['other', 'behind the link other'],
  ['other/b', 'behind the link other'],
])('400: a link to %j', async (link, why) => {
  const { files } = await given()
  await files.put('a', 'a')
  expect((await files.put('other', { link: 'a' })).status).toBe(200)
  const { status, json } = await files.put('l', { link })
  expect([status, json.error]).toEqual([400, expect.stringContaining(why)])
})

test('400: a link in the place of a compose file or .env', async () => {
  const { files } = await given()
  for (const path of ['compose.yaml', '.env', 'compose.prod.yaml']) {
    expect((await files.put(path, { link: 'a' })).status).toBe(400)
  }
})

test('422: a file where a directory is, below a file or below a link', async () => {
  const { files } = await given()
  await files.put('a/b', 'x')
  await files.put('l', { link: 'a' })
  for (const path of ['a', 'a/b/c', 'A/b/c', 'l/c', 'compose.yaml/x', 'A/B', 'A/b']) {
    const { status, headers } = await files.put(path, 'x')
    expect([path, status, headers['x-error-reason']]).toEqual([path, 422, 'conflict'])
  }
})

test('422: more or larger files than the settings allow, naming the setting', async () => {
  const { ports, files } = await given()
  const limit = async (settings: object, path: string, content: string) => {
    await ports.settings.save({
      'stack.max_bytes': 2 ** 20,
      'stack.max_files': 9,
      'stack.max_file_bytes': 2 ** 20,
      ...settings,
    })
    return files.put(path, content)
  }
  const half = 'x'.repeat(600_000)
  expect((await limit({}, 'a', half)).status).toBe(200)
  for (const [settings, path, content, name] of [
    [{}, 'b', half, 'stack.max_bytes'],
    [{ 'stack.max_files': 2 }, 'b', 'x', 'stack.max_files'],
    [{ 'stack.max_bytes': 2 ** 30 }, 'b', half + half, 'stack.max_file_bytes'],
  ] as const) {
    const { status, json, headers } = await limit(settings, path, content)
    expect([status, headers['x-error-reason'], json.error]).toEqual([
      ...[422, 'limit', expect.stringContaining(name)],
    ])
  }
  // A stack over a limit that was lowered can become smaller.
  expect((await limit({ 'stack.max_files': 1 }, 'a', 'x')).status).toBe(200)
})

test('422: a text that is binary, has a NUL or is over 1 MiB as .env', async () => {
  const { files } = await given()
  for (const body of [
    { base64: Buffer.from([255, 254]).toString('base64') },
    { content: 'A=\0' },
    { content: `A=${'x'.repeat(1024 * 1024)}` },
  ]) {
    expect((await files.put('.env', body)).status).toBe(422)
  }
})

test('409: a stale revision changes nothing, also for an identical file', async () => {
  const { files } = await given()
  await files.put('a', '1')
  for (const content of ['2', '1']) {
    const { status, headers } = await files.put('a', { content, revision: 1 })
    expect([status, headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  }
  expect((await files.get('a')).json).toMatchObject({ content: '1', revision: 2 })
})

test('200: all simultaneous changes of different files are kept', async () => {
  const { files } = await given()
  const answers = await Promise.all(['a', 'b', 'c'].map((path) => files.put(path, path)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { json } = await files.list()
  expect(json.map(({ path }: { path: string }) => path)).toEqual(['a', 'b', 'c', 'compose.yaml'])
})

test('409: one of several changes of one revision succeeds', async () => {
  const { files } = await given()
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((path) => files.put(path, { content: path, revision: 1 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('404 and 403: unknown stack, and a viewer', async () => {
  const here = world()
  const asked = { path: { name: 'shop' }, query: { path: 'a' }, body: { content: 'a' } }
  const { status } = await call(update, { ports: here.ports, as: 'operator', ...asked })
  expect(status).toBe(404)
  await givenStack(here, 'shop', { deployed: false })
  expect((await filesOf(here, 'viewer').put('a', 'a')).status).toBe(403)
})
