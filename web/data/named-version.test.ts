import { expect, test } from 'vitest'
import { namedVersion } from './named-version.ts'

test.each([
  ['', {}],
  ['0.5.0', { version: '0.5.0' }],
  ['0.5.0-rc.1', { version: '0.5.0-rc.1' }],
  ['0.5', { image: '0.5' }],
  ['container-stacks:0.5.0', { image: 'container-stacks:0.5.0' }],
])('%j is the name of the running image, a version or an image', (target, body) => {
  expect(namedVersion(target)).toEqual(body)
})
