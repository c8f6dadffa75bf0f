import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { registryAddress, registryOf } from '../../compose/reference/registry-address.ts'
import { checkedReference, parseReference } from './reference.ts'

test.each([
  ['busybox', 'busybox', 'latest'],
  ['busybox:1.36', 'busybox', '1.36'],
  ['127.0.0.1:5000/a/b', '127.0.0.1:5000/a/b', 'latest'],
  ['127.0.0.1:5000/a/b:c', '127.0.0.1:5000/a/b', 'c'],
  ['a/b@sha256:0f', 'a/b', 'sha256:0f'],
  ['r:5000/a/b:c@sha256:0f', 'r:5000/a/b', 'sha256:0f'],
])('parses %s as %s at %s', (reference, repository, tag) => {
  expect(parseReference(reference)).toEqual({ repository, tag })
})

test('400: an invalid image reference', () => {
  for (const reference of ['', '../version', 'a/../b', 'a//b', 'a/./b', 'a?b', 'a b', '/a', 'a/']) {
    expect(() => checkedReference(reference), reference).toThrow(
      expect.objectContaining({ status: 400 }),
    )
  }
})

test.each([
  'shop:',
  'shop:1:latest',
  'shop@',
  'shop@@sha256:0f',
  'shop:1@',
  'a:x/b',
  'a:/b',
  'a/b:5000/c',
])('400: %s would be another image for the Engine than for the policy', (reference) => {
  expect(() => parseReference(reference)).toThrow(expect.objectContaining({ status: 400 }))
})

function isValid(reference: string): boolean {
  try {
    checkedReference(reference)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the registry that the Engine finds in a repository, by its own rules: the part before the
 * first slash, if it has a dot or a colon, is `localhost`, or is not in lower case.
 */
function engineRegistry(repository: string): string {
  const [first = '', ...rest] = repository.split('/')
  const isHost = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first
  return rest.length > 0 && isHost ? registryAddress(first) : 'docker.io'
}

const part = fc.constantFrom(
  'a',
  'B',
  'localhost',
  'nas',
  'nas.lan',
  '10.0.0.1',
  'docker.io',
  '1-2',
)
const references = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', ':5000', ':', ':x'),
    fc.constantFrom('', ':1', ':', '@sha256:0f', ':1@sha256:0f', '@', ':1:2', '@a@b', ':a/b'),
  )
  .map(([[first = '', ...rest], port, end]) => [first + port, ...rest].join('/') + end)

test('the registry that was judged is that of the repository which is sent to the Engine', () => {
  fc.assert(
    fc.property(references, (reference) => {
      fc.pre(isValid(reference))
      const { repository, tag } = parseReference(reference)
      expect(engineRegistry(repository)).toBe(registryOf(reference))
      const { kind, name } = imageName(reference)
      const sent = `${repository}${tag.includes(':') ? '@' : ':'}${tag}`
      if (kind !== 'id') expect(imageName(sent).name).toBe(name)
    }),
    { numRuns: 5000 },
  )
})
