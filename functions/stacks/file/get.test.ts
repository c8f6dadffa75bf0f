import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bundleOf } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { filesOf, uploadFiles } from '../../../local/harness/stack-files.ts'
import { givenStack, shop, world } from '../../../local/harness/world.ts'
import get from './get.ts'

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  return { ...here, files: filesOf(here) }
}

test('200: a text, with the SHA-256 of its content', async () => {
  const { files } = await given()
  const digest = createHash('sha256').update(shop).digest('hex')
  expect((await files.get('compose.yaml')).json).toEqual({
    path: 'compose.yaml',
    content: shop,
    base64: null,
    link: null,
    secret: false,
    digest,
    mode: '0644',
    size: Buffer.byteLength(shop),
    revision: 1,
  })
})

test('200: a link is not followed', async () => {
  const { files } = await given()
  await files.put('l', { link: '.env' })
  await files.put('.env', 'A=1')
  expect((await files.get('l')).json).toMatchObject({ link: '.env', content: null, base64: null })
  expect((await files.get('l/a')).status).toBe(404)
})

test('200: text with a NUL is returned in base64', async () => {
  const { files } = await given()
  const base64 = Buffer.from('a\0b').toString('base64')
  await files.put('a', { base64 })
  expect((await files.get('a')).json).toMatchObject({ base64, content: null })
})

test('404: no such file, a name of the language, or no such stack', async () => {
  const { files } = await given()
  for (const path of ['a', '__proto__', 'constructor', '.env']) {
    expect((await files.get(path)).status).toBe(404)
  }
  const { ports } = world()
  const asked = { ports, as: 'viewer' as const, path: { name: 'shop' }, query: { path: 'a' } }
  expect((await call(get, asked)).status).toBe(404)
})

test('403: a secret file, without stacks:secrets', async () => {
  const { files, ...here } = await given()
  await files.put('.env', 'A=1')
  const { status, json } = await filesOf(here, 'viewer').get('.env')
  expect([status, json.error]).toEqual([403, expect.stringContaining('stacks:secrets')])
})

test('422: a file over 2 MiB', async () => {
  const { files, ...here } = await given()
  const bundle = await bundleOf({ big: Buffer.alloc(2 * 1024 * 1024 + 1) })
  expect((await uploadFiles(here, bundle)).status).toBe(200)
  expect((await files.get('big')).status).toBe(422)
})

test('400: no path, or one that leaves the directory', async () => {
  const { files } = await given()
  for (const path of ['', '../x', '/etc/passwd', 'a\0']) {
    expect((await files.get(path)).status).toBe(400)
  }
})
