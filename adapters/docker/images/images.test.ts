import { expect, test } from 'vitest'
import { imageSummaries } from './images.ts'

const imageOf = (name: string, Created: number) => ({
  Id: `sha256:${name}`,
  RepoTags: [`${name}:1`],
  RepoDigests: [],
  Size: 1_000_000,
  Created,
})

test('an image that says no time was built at no known time, not in the year 1', () => {
  const list = [
    imageOf('dated', 1_780_000_000),
    imageOf('epoch', 0),
    imageOf('none', -62_135_596_800),
  ]
  expect(imageSummaries(JSON.stringify(list)).map(({ createdAt }) => createdAt)).toEqual([
    '2026-05-28T20:26:40.000Z',
    '1970-01-01T00:00:00.000Z',
    null,
  ])
})
