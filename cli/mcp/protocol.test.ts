import { expect, test } from 'vitest'
import { answerFor, chosenVersion, refusalOf } from './protocol.ts'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const asking = (method: string, _meta?: object) => ({
  id: 1,
  method,
  params: _meta === undefined ? {} : { _meta },
})

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2024-11-05'],
  ['2024-11-05', '2024-11-05'],
  ['2099-01-01', '2025-11-25'],
  ['2000-01-01', '2025-11-25'],
  [undefined, '2025-11-25'],
])('a session that asks for %s gets %s', (requested, chosen) => {
  expect(chosenVersion(requested)).toBe(chosen)
})

test('a request that says its revision needs no session', () => {
  const meta = { [version]: '2026-07-28', [capabilities]: {} }
  const request = asking('server/discover', meta)
  expect(refusalOf(request)).toBeUndefined()
  expect(answerFor(request, [])).toMatchObject({
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'container-stacks' } },
    },
  })
  expect(answerFor(asking('tools/list', meta), [])).toMatchObject({
    result: { resultType: 'complete', tools: [], cacheScope: 'public' },
  })
  expect(answerFor(asking('ping', meta), [])).toMatchObject({ error: { code: -32601 } })
})

test.each([
  ['another revision', { [version]: '1900-01-01', [capabilities]: {} }, -32022],
  ['no capabilities', { [version]: '2026-07-28' }, -32602],
  ['no revision for server/discover', {}, -32602],
])('refuses a request with %s', (_, meta, code) => {
  expect(refusalOf(asking('server/discover', meta))).toMatchObject({ code })
})

test('a request of a session gets no fields of later revisions', () => {
  expect(answerFor(asking('tools/list'), [])).toEqual({ result: { tools: [] } })
  expect(answerFor(asking('ping'), [])).toEqual({ result: {} })
  expect(answerFor(asking('prompts/list'), [])).toMatchObject({ error: { code: -32601 } })
})
