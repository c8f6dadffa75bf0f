import { expect, test } from 'vitest'
import { proposeTags } from './propose-tags.ts'

const texts = (current: string, ...tags: string[]) =>
  proposeTags(current, tags).map(({ tag, change }) => `${change} ${tag}`)

test.each([
  ['1.29.3', ['1.29.5', '1.29.10', '1.29.2'], ['patch 1.29.10']],
  ['1.29.3', ['1.30.0', '1.31.1', '2.0.0', '2.1.0', '1.29.3'], ['minor 1.31.1', 'major 2.1.0']],
  ['1.29', ['1.30', '1.30.1', '2', '2.0'], ['minor 1.30', 'major 2.0']],
  ['16', ['17', '18', '17.2'], ['major 18']],
  ['v2.4.0', ['2.5.0', 'v2.5.0'], ['minor v2.5.0']],
  ['3', ['20260127', '4', '20250108'], ['major 4']],
  ['20250108', ['20260127', '4'], ['major 20260127']],
  ['2024.12', ['2025.1', '2025.20250108'], ['major 2025.1']],
])('%s of %j: %j', (current, tags, expected) => {
  expect(texts(current, ...tags)).toEqual(expected)
})

test.each([
  ['16-alpine', ['17', '17-bookworm', '17-alpine', '17-alpine3.22'], ['major 17-alpine']],
  ['3.2.1', ['3.3.0-rc1', '3.3.0-beta', '4.0.0-alpha'], []],
  ['3.3.0-rc1', ['3.4.0-rc2', '3.4.0'], ['minor 3.4.0-rc2']],
])('keeps the suffix: %s of %j: %j', (current, tags, expected) => {
  expect(texts(current, ...tags)).toEqual(expected)
})

test.each(['latest', 'stable-alpine', 'sha-0a1b2c3', '', '1.2.3.4'])(
  'proposes nothing for %s, which is no version',
  (current) => {
    expect(texts(current, '1.2.4', '2.0.0', 'latest', '1.2.3.5')).toEqual([])
  },
)

test('numbers of any length, and many tags, are read in linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `1.${index}.0-${'a-'.repeat(50)}`)
  expect(texts('1.2.3', ...many, '1.999999999.0', `1.${'9'.repeat(30)}.0`)).toEqual([
    'minor 1.999999999.0',
  ])
})
