import { expect, test } from 'vitest'
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
