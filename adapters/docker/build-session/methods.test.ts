import { expect, test } from 'vitest'
import { type BuildOffers, buildMethods, methodPaths } from './methods.ts'
import { encodedField, fields, textsOf } from './protocol-buffers.ts'

const [secret = '', credentials = '', health = ''] = methodPaths

const offering = (offers: Partial<BuildOffers>) => {
  const methods = buildMethods({ secrets: new Map(), registries: [], ...offers })
  return (path: string, text: string) => methods[path]?.(encodedField(1, Buffer.from(text)))
}

test('gives a secret by its id, with all of its bytes', () => {
  const content = Buffer.from([0, 255, 10, 13, 128])
  const ask = offering({
    secrets: new Map([
      ['token', content],
      ['empty', Buffer.alloc(0)],
    ]),
  })
  expect([...fields(ask(secret, 'token') ?? Buffer.alloc(0))]).toEqual([[1, content]])
  expect([...fields(ask(secret, 'empty') ?? Buffer.alloc(0))]).toEqual([[1, Buffer.alloc(0)]])
  for (const id of ['', 'Token', 'token ', '../token', '__proto__', 'toString']) {
    expect(ask(secret, id), id).toBeUndefined()
  }
})

test('gives the credentials of a registry to that host only', () => {
  const ask = offering({
    registries: [
      { id: 'docker.io', username: 'hub', password: 'one' },
      { id: 'registry.example.org:5000', username: 'puller', password: 'two' },
    ],
  })
  const of = (host: string) =>
    textsOf(ask(credentials, host) ?? Buffer.alloc(0), { username: 1, password: 2 })
  expect(of('registry-1.docker.io')).toEqual({ username: 'hub', password: 'one' })
  expect(of('registry.example.org:5000')).toEqual({ username: 'puller', password: 'two' })
  const none = { username: '', password: '' }
  for (const host of ['', 'registry.example.org', 'evil.example', 'docker.io.evil.example']) {
    expect(of(host), host).toEqual(none)
  }
})

test('is healthy', () => {
  expect(offering({})(health, '')).toEqual(Buffer.from([8, 1]))
})

test('reads messages with other fields, and any bytes', () => {
  const methods = buildMethods({
    secrets: new Map([['a', Buffer.from('x')]]),
    registries: [],
  })
  const annotations = encodedField(2, Buffer.concat([encodedField(1, Buffer.from('k'))]))
  const request = Buffer.concat([
    Buffer.from([0x18, 0x96, 0x01]),
    encodedField(1, Buffer.from('a')),
  ])
  expect(methods[secret]?.(Buffer.concat([request, annotations]))).toBeDefined()
  for (const bytes of [[0xff], [0x0a], [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 1], [0x0b], [0x0d]]) {
    expect(methods[secret]?.(Buffer.from(bytes)), String(bytes)).toBeUndefined()
  }
})

test('encodes fields of any length', () => {
  for (const length of [0, 1, 127, 128, 16_383, 16_384, 500 * 1024]) {
    const content = Buffer.alloc(length, 'x')
    const [[field, read] = []] = [...fields(encodedField(3, content))]
    expect([field, read?.equals(content)]).toEqual([3, true])
  }
})
