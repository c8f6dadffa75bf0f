import { expect, test } from 'vitest'
import { imageChange } from './replaced-image.ts'

const digest = `sha256:${'0f'.repeat(32)}`

test.each([
  ['nginx:1.27', 'nginx:1.29', 'nginx:1.27 nginx:1.29'],
  ['nas:5000/a', 'nas:5000/b', 'nas:5000/a nas:5000/b'],
  [`nginx:1.27@${digest}`, `nginx:1.29@${digest}`, 'nginx:1.27 nginx:1.29'],
  ['nginx', 'nginx', ''],
  [`nginx:1.27@${digest}`, 'nginx:1.27', ''],
  ['nginx:1.27', digest, ''],
  ['nginx:1.27', `nginx@${digest}`, ''],
  [`nas:5000/a@${digest}`, 'nas:5000/a:2', ''],
  [digest, 'nginx:1.27', ''],
  ['0123456789ab', 'nginx:1.27', ''],
  [undefined, 'nginx:1.27', ''],
])('from %s to %s: %s', (before, after, words) => {
  expect(Object.values(imageChange(before, after) ?? {}).join(' ')).toBe(words)
})
