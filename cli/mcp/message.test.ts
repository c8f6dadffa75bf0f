import { expect, test } from 'vitest'
import { parseMessage } from './message.ts'

test('reads requests and notifications', () => {
  expect(parseMessage('{"jsonrpc":"2.0","id":"a","method":"ping"}')).toEqual({
    kind: 'request',
    request: { id: 'a', method: 'ping', params: {} },
  })
  expect(parseMessage('{"jsonrpc":"2.0","method":"x","params":{"y":1}}')).toEqual({
    kind: 'notification',
    method: 'x',
    params: { y: 1 },
  })
})

test('passes over a response', () => {
  expect(parseMessage('{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual({ kind: 'other' })
})

test.each([
  ['{', -32700],
  ['[]', -32600],
  ['{"id":1,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
  [undefined, -32600],
])('refuses %s with %i', (line, code) => {
  expect(parseMessage(line)).toMatchObject({ kind: 'invalid', error: { code } })
})
