import { expect, test } from 'vitest'
import { isPrivate } from './find-server.ts'

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://10.1.2.3', true],
  ['http://172.31.0.1', true],
  ['http://172.32.0.1', false],
  ['http://192.168.1.10:8080', true],
  ['http://100.100.0.1', true],
  ['http://203.0.113.7', false],
  ['http://[::1]:8080', true],
  ['http://[fd00::1]', true],
  ['http://[fe80::1]', true],
  ['http://[2001:db8::1]', false],
  ['http://[::ffff:192.168.1.10]', true],
  ['http://[::ffff:203.0.113.7]', false],
])('%s is on a private network: %s', async (server, expected) => {
  expect(await isPrivate(server)).toBe(expected)
})
