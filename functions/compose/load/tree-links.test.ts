import { expect, test } from 'vitest'
import { followLinks } from './tree-links.ts'

const links = new Map([
  ['current', 'releases/2'],
  ['releases/2/shared', '../../shared'],
  ['env', './current/app.env'],
  ['circle', 'circle'],
  ['out', '../other'],
  ['root', '/etc'],
])

test.each<[string, string | undefined]>([
  ['app.env', 'app.env'],
  ['current/app.env', 'releases/2/app.env'],
  ['current/shared/x', 'shared/x'],
  ['env', 'releases/2/app.env'],
  ['current/../x', 'releases/x'],
  ['circle/x', undefined],
  ['out/x', undefined],
  ['root/passwd', undefined],
])('%s leads to %s', (path, target) => {
  expect(followLinks(path, links)).toBe(target)
})

test('follows at most 40 links', () => {
  const chain = new Map(Array.from({ length: 60 }, (_, index) => [`l${index}`, `l${index + 1}`]))
  expect(followLinks('l20', chain)).toBe('l60')
  expect(followLinks('l19', chain)).toBeUndefined()
})
