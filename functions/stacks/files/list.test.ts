import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { editor, filesOf, givenEditor } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import get from '../get.ts'
import list from './list.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await givenEditor(here)
  const files = filesOf(here)
  await files.put('site.conf', { content: 'a', mode: '0600' })
  await files.put('pin.env', '1234')
  await files.put('spare.env', '1234')
  await files.put('l', { link: 'site.conf' })
  return here
}

test('200: every file with its size, mode and digest, sorted by path', async () => {
  const here = await given()
  const { json } = await filesOf(here).list()
  expect(json).toMatchObject([
    { path: 'compose.yaml', mode: '0644', secret: false },
    { path: 'l', link: 'site.conf', mode: null, digest: null, size: 9, secret: false },
    { path: 'pin.env', digest: sha256('1234'), size: 4, secret: true },
    { path: 'site.conf', digest: sha256('a'), mode: '0600', size: 1, link: null, secret: false },
    { path: 'spare.env', digest: sha256('1234'), secret: true },
  ])
  const shown = await call(get, { ports: here.ports, as: 'operator', path: { name: 'shop' } })
  expect(shown.json.files).toEqual(json)
})

test('200: without stacks:secrets the digest of a secret file cannot be guessed', async () => {
  const here = await given()
  const files = filesOf(here, editor)
  const digests = async () => {
    const { json } = await files.list()
    return Object.fromEntries(
      json.map(({ path, digest }: { path: string; digest: string }) => [path, digest]),
    )
  }
  const before = await digests()
  expect(before['pin.env']).toMatch(/^[0-9a-f]{64}$/)
  expect(Object.values(before)).not.toContain(sha256('1234'))
  // Equal contents do not show as such.
  expect(before['pin.env']).not.toBe(before['spare.env'])
  expect(before['site.conf']).toBe(sha256('a'))
  expect(await digests()).toEqual(before)
  await filesOf(here).put('pin.env', '1235')
  expect((await digests())['pin.env']).not.toBe(before['pin.env'])
})

test('404: no such stack', async () => {
  const { ports } = world()
  const asked = { ports, as: 'viewer' as const, path: { name: 'shop' } }
  expect((await call(list, asked)).status).toBe(404)
})
