import { expect, test } from 'vitest'
import { isIdPrefix, isWholeId, resolve } from './resolve.ts'

const nas = { id: '019a0000-1111-7000-8000-000000000001', name: 'nas' }
const attic = { id: '019a0000-2222-7000-8000-000000000002', name: 'Büro' }
const face = { id: 'ffff0000-3333-7000-8000-000000000003', name: '019a' }
const all = [nas, attic, face]

const found = (text: string, among: readonly { id: string; name?: string }[] = all) =>
  resolve('host', text, among)

test.each([
  ['nas', nas],
  ['NAS ', nas],
  ['Bu\u0308ro', attic],
  [attic.id, attic],
  ['019a0000-2', attic],
  ['019A0000-2', attic],
  ['FFFF', face],
  // A name wins over the beginning of an id.
  ['019a', face],
  ['na', undefined],
  ['fff', undefined],
  ['', undefined],
])('%j', (text, expected) => expect(found(text)).toBe(expected))

test('an id wins over a name that is the same text', () => {
  const odd = [
    { id: 'local', name: 'a' },
    { id: 'b', name: 'local' },
  ]
  expect(found('local', odd)).toBe(odd[0])
})

test('2: an ambiguous text lists the candidates', () => {
  const failure = { exitCode: 2, message: '"019a0000" is ambiguous: 2 hosts match' }
  expect(() => found('019a0000')).toThrow(
    expect.objectContaining({ ...failure, hint: `use an id: ${nas.id} (nas), ${attic.id} (Büro)` }),
  )
  const same = [
    { id: '1', name: 'ci' },
    { id: '2', name: 'ci' },
  ]
  expect(() => found('ci', same)).toThrow(expect.objectContaining({ exitCode: 2 }))
  const many = Array.from({ length: 12 }, (_, at) => ({ id: `0000-${at}` }))
  expect(() => found('0000', many)).toThrow(
    expect.objectContaining({
      hint: expect.stringMatching(/: 0000-0, 0000-1, 0000-2 and 9 more$/),
    }),
  )
})

test('a prefix has at least four hexadecimal digits or dashes; a whole id is not a prefix', () => {
  for (const text of ['019a', 'beef', '019a0000-1111']) expect(isIdPrefix(text)).toBe(true)
  for (const text of ['019', 'local', 'nas-1', nas.id, '']) expect(isIdPrefix(text)).toBe(false)
  expect([isWholeId(nas.id), isWholeId('019a0000')]).toEqual([true, false])
})
