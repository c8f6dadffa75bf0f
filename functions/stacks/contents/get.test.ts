import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bundleOf } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { editor, filesOf, givenEditor, uploadFiles } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import list from '../files/list.ts'
import get from './get.ts'

type Here = ReturnType<typeof world>
type Page = {
  revision: number
  parts: { path: string; offset: number; base64: string }[]
  next: { path: string; offset: number } | null
}

const asked = (here: Here, query: object, as: Parameters<typeof filesOf>[1] = 'operator') =>
  call(get, { ports: here.ports, as, path: { name: 'shop' }, query: query as never })

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await givenEditor(here)
  return { here, files: filesOf(here) }
}

/** Returns the contents of all pages by path, and how many pages there were. */
async function everything(here: Here) {
  const contents = new Map<string, Buffer>()
  let pages = 0
  for (let query: object | null = {}; query; pages += 1) {
    const { json } = await asked(here, query)
    const { revision, parts, next } = json as Page
    for (const { path, offset, base64 } of parts) {
      const before = contents.get(path) ?? Buffer.alloc(0)
      expect(offset).toBe(before.length)
      contents.set(path, Buffer.concat([before, Buffer.from(base64, 'base64')]))
    }
    query = next && { ...next, revision, offset: String(next.offset) }
  }
  return { contents, pages }
}

test('200: the contents of all files without links, sorted by path', async () => {
  const { here, files } = await given()
  await files.put('b/site.conf', { content: 'a', mode: '0600' })
  await files.put('b.empty', { content: '' })
  await files.put('l', { link: 'b.empty' })
  const { json } = await asked(here, {})
  expect(json).toMatchObject({ revision: 4, next: null })
  const { parts } = json as Page
  expect(parts.map(({ path }) => path)).toEqual(['b.empty', 'b/site.conf', 'compose.yaml'])
  expect(parts[1]).toEqual({ path: 'b/site.conf', offset: 0, base64: 'YQ==' })
})

test('200: large files and many files come in several responses, each byte once', async () => {
  const { here } = await given()
  const large = { 'a.bin': randomBytes(9_000_000), 'b.bin': randomBytes(4_194_304) }
  const many = Array.from({ length: 1100 }, (_, at) => [`many/${at}`, Buffer.from(String(at))])
  const all = { ...large, ...Object.fromEntries(many) } as Record<string, Buffer>
  expect((await uploadFiles(here, await bundleOf(all))).status).toBe(200)
  const { contents, pages } = await everything(here)
  for (const [path, content] of Object.entries(all)) {
    expect(content.equals(contents.get(path) ?? Buffer.alloc(0)), path).toBe(true)
  }
  expect(contents.size).toBe(Object.keys(all).length + 1)
  expect(pages).toBeLessThan(9)
})

test('200: an earlier revision, also while newer ones are saved', async () => {
  const { here, files } = await given()
  await files.put('site.conf', 'one')
  await files.put('site.conf', 'two')
  const { json } = await asked(here, { revision: '2', path: 'site.conf' })
  expect(json.parts).toEqual([
    { path: 'site.conf', offset: 0, base64: Buffer.from('one').toString('base64') },
  ])
  const listed = await call(list, {
    ports: here.ports,
    as: 'operator',
    path: { name: 'shop' },
    query: { revision: '1' },
  })
  expect(listed.json).toMatchObject([{ path: 'compose.yaml' }])
})

test('200: without stacks:secrets, files are left out that are secret in any of the two revisions', async () => {
  const { here, files } = await given()
  const paths = async (query: object, as: Parameters<typeof filesOf>[1]) =>
    ((await asked(here, query, as)).json as Page).parts.map(({ path }) => path)
  await files.put('pin.txt', '1234')
  await files.put('.env', 'A=1')
  const compose = 'services: {web: {image: x}}\nsecrets: {pin: {file: ./pin.txt}}\n'
  await files.put('compose.yaml', compose)
  expect(await paths({}, editor)).toEqual(['compose.yaml'])
  // The compose file of that revision does not call it a secret yet.
  expect(await paths({ revision: '3' }, editor)).toEqual(['compose.yaml'])
  expect(await paths({ revision: '3' }, 'operator')).toEqual(['.env', 'compose.yaml', 'pin.txt'])
  await files.put('compose.yaml', 'services: {web: {image: x}}\n')
  expect(await paths({ revision: '4' }, editor)).toEqual(['compose.yaml'])
})

test('400: a revision or an offset that is no number', async () => {
  const { here } = await given()
  expect((await asked(here, { revision: 'x' })).status).toBe(400)
  expect((await asked(here, { offset: '-1' })).status).toBe(400)
})

test('404: no such stack, or no such revision', async () => {
  const { here } = await given()
  expect((await asked(here, { revision: '7' })).status).toBe(404)
  const { ports } = world()
  expect((await call(get, { ports, as: 'viewer', path: { name: 'shop' } })).status).toBe(404)
})
