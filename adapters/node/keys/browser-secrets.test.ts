import { expect, test } from 'vitest'
import { browserSecrets } from './browser-secrets.ts'

const ring = (current: string, ...fills: number[]) => ({
  current,
  keys: Object.fromEntries(fills.map((fill) => [`k${fill}`, new Uint8Array(32).fill(fill)])),
})
const hex = (values: Uint8Array[]) => values.map((value) => Buffer.from(value).toString('hex'))

test('two processes with the same keys derive the same values, the current key first', () => {
  const one = hex(browserSecrets(ring('k1', 1, 2), 'a').derive('text'))
  const other = hex(browserSecrets(ring('k2', 1, 2), 'a').derive('text'))
  expect(one).toHaveLength(2)
  expect(other).toEqual([...one].reverse())
  expect(hex(browserSecrets(ring('k1', 1), 'a').derive('other'))[0]).not.toBe(one[0])
})

test('reads the ring at each call, so that a key added later counts', () => {
  const keys = ring('k1', 1)
  const secrets = browserSecrets(keys, 'a')
  const [before] = hex(secrets.derive('text'))
  Object.assign(keys, ring('k2', 1, 2))
  expect(hex(secrets.derive('text'))[1]).toBe(before)
})

test('installations differ in name, and the name does not reveal the id', () => {
  const { instance } = browserSecrets(ring('k1', 1), 'an-id')
  expect(instance).toMatch(/^[0-9a-f]{8}$/)
  expect(browserSecrets(ring('k1', 1), 'another').instance).not.toBe(instance)
})
