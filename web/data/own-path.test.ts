import { expect, test } from 'vitest'
import { isPagePath, ownPath } from './own-path.ts'

const origin = 'https://stacks.example.org'

test.each([
  ['/account?tab=x', '/account?tab=x'],
  ['/', '/'],
  ['', '/'],
  ['//evil.example/', '/evil.example/'],
  ['///evil.example/a//b', '/evil.example/a//b'],
  ['/\\evil.example/', '/evil.example/'],
  ['\\\\evil.example/', '/evil.example/'],
  ['/\t/evil.example/', '/evil.example/'],
  [' \n//evil.example/', '/evil.example/'],
  ['https://evil.example/', '/https://evil.example/'],
  ['javascript:alert(1)', '/javascript:alert(1)'],
])('%j becomes the page %j of this service', (path, own) => {
  expect(ownPath(path)).toBe(own)
  expect(new URL(ownPath(path), `${origin}/login`).origin).toBe(origin)
})

test('a path that leads to two slashes stays on this service', () => {
  for (const path of ['/.//evil.example/', '/x/..//evil.example/', '/./\\evil.example/'])
    expect(new URL(ownPath(path), origin).origin).toBe(origin)
})

test.each([
  ['/', true],
  ['/stacks/shop%20a', true],
  ['/images/a%2Fb%3A1', true],
  ['/stacks/%zz', false],
  ['/stacks/%ff', false],
  ['/stacks/%', false],
  ['/stacks/a%00b', false],
  ['/stacks/a%5Cb', false],
])('a page can be at %j: %j', (path, isPage) => {
  expect(isPagePath(path)).toBe(isPage)
})
