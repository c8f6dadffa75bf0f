import { beforeAll, expect, test } from 'vitest'
import { loadOperations } from '../../openapi/operations.ts'
import { noScreen } from './no-screen.ts'
import { bundledModules, type Call, callsIn } from './web-calls.ts'

let calls: Map<Call, string[]>
/** The ids of all operations, by call. */
let ids: Map<string, string>

beforeAll(async () => {
  calls = callsIn(await bundledModules())
  const operations = await loadOperations()
  ids = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]))
})

test('each operation of the API has a screen, or a reason why it has none', () => {
  const missing = [...ids].filter(([call, id]) => !calls.has(call as Call) && !(id in noScreen))
  expect(missing.map(([call, id]) => `${id} (${call}) has neither`)).toEqual([])
})

test('no reason is outdated', () => {
  const unused = new Set([...ids].filter(([call]) => !calls.has(call as Call)).map(([, id]) => id))
  expect(Object.keys(noScreen).filter((id) => !unused.has(id))).toEqual([])
})

test('screens call only operations that exist', () => {
  const unknown = [...calls].filter(([call]) => !ids.has(call))
  expect(unknown).toEqual([])
})

test('a call is found in each way in which screens write it, or refused', () => {
  const modules = new Map([
    ['a', 'api.POST("/a", {})'],
    ['b', 'const path = "/b/{id}";\nunwrap(api2.PUT(`${path}/c`, {}))'],
    ['c', 'useResource("/c"); openFeed("/ws/c", {})'],
    ['d', 'const at = { one: "/d", two: "/e" }[kind];\nuseResource(at)'],
  ])
  const found = ['POST /a', 'PUT /b/{id}/c', 'GET /c', 'GET /ws/c', 'GET /d', 'GET /e']
  expect([...callsIn(modules).keys()]).toEqual(found)
  expect(() => callsIn(new Map([['x', 'api.GET(where)']]))).toThrow('hides the path')
})
