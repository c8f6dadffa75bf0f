import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { filesOf } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import remove from './remove.ts'

async function given() {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  return filesOf(here)
}

test('200: deletes a file as one revision', async () => {
  const files = await given()
  await files.put('a/b', 'x')
  await files.put('.env', 'A=1')
  const { status, json } = await files.remove('a/b', 3)
  expect([status, json.revision]).toEqual([200, 4])
  expect((await files.remove('.env')).json.revision).toBe(5)
  expect((await files.list()).json).toMatchObject([{ path: 'compose.yaml' }])
})

test('404: no such file, a directory, or a stack that does not exist', async () => {
  const files = await given()
  await files.put('a/b', 'x')
  for (const [path, error] of [
    ['c', 'it has no file c'],
    ['a', 'a is a directory'],
    ['__proto__', 'it has no file __proto__'],
  ] as const) {
    const { status, json } = await files.remove(path)
    expect([status, json.error]).toEqual([404, expect.stringContaining(error)])
  }
  const { ports } = world()
  const asked = { ports, as: 'operator' as const, path: { name: 'shop' }, query: { path: 'a' } }
  expect((await call(remove, asked)).status).toBe(404)
})

test('422: compose.yaml', async () => {
  const files = await given()
  expect((await files.remove('compose.yaml')).status).toBe(422)
})

test('409: a stale revision', async () => {
  const files = await given()
  await files.put('a', 'x')
  expect((await files.remove('a', 1)).status).toBe(409)
})

test('400: a path that leaves the directory', async () => {
  expect((await (await given()).remove('../x')).status).toBe(400)
})
