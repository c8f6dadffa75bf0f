import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'

test.each([
  ['http://127.0.0.1:8000', { endpoint: 'http://127.0.0.1:8000', region: 'local' }],
  ['https://scylla.lan:8043/', { endpoint: 'https://scylla.lan:8043', region: 'local' }],
  [
    'https://dynamodb.eu-central-1.amazonaws.com',
    { endpoint: 'https://dynamodb.eu-central-1.amazonaws.com', region: 'eu-central-1' },
  ],
])('finds the endpoint and the region in %s', (endpoint, options) => {
  expect(parseArguments(['--endpoint', endpoint])).toEqual({ ...options, kills: 30 })
})

test('takes the number of kills', () => {
  const words = ['--endpoint', 'http://127.0.0.1:8000', '--kills', '0']
  expect(parseArguments(words)).toMatchObject({ kills: 0 })
})

test('a given region goes first', () => {
  const words = ['--region', 'here', '--endpoint', 'http://127.0.0.1:8000']
  expect(parseArguments(words)).toMatchObject({ region: 'here' })
})

test.each([
  '127.0.0.1:8000',
  'ftp://127.0.0.1',
  'http://',
  'http://127.0.0.1:8000/shell',
  'http://127.0.0.1:8000/?a=b',
  'http://key:secret@127.0.0.1:8000',
])('rejects an endpoint that is no URL of a store: %s', (endpoint) => {
  expect(() => parseArguments(['--endpoint', endpoint])).toThrow(
    `--endpoint is not the URL of a store: '${endpoint}'`,
  )
})

test.each([
  [[], '--endpoint is missing'],
  [['--endpoint'], '--endpoint needs a value'],
  [['--endpoint', 'http://127.0.0.1', '--kills', '-1'], '--kills is not a number from 0 to 99999'],
  [['--endpiont', 'http://127.0.0.1'], '--endpiont is unknown'],
])('rejects %j', (words, message) => {
  expect(() => parseArguments(words)).toThrow(message)
})
