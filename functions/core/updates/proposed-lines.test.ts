import { expect, test } from 'vitest'
import { proposedLines } from './proposed-lines.ts'

const shown = (text: string, reference = 'nginx:1.29') =>
  proposedLines(reference, '1.31', new Map([['compose.yaml', text]]))

test.each([
  ['services:\n  web:\n    image: nginx:1.29\n', 3, 'image: nginx:1.31'],
  ['services:\n  web: {image: nginx:1.29, init: true}', 2, 'web: {image: nginx:1.31, init: true}'],
  ['services:\r\n  web:\r\n    "image": "nginx:1.29" # web', 3, '"image": "nginx:1.31" # web'],
  ["services: {web: {'image': 'nginx:1.29'}}", 1, "services: {web: {'image': 'nginx:1.31'}}"],
])('%j: line %i becomes %j', (text, line, changed) => {
  expect(shown(text)).toEqual([{ file: 'compose.yaml', line, text: changed }])
})

test.each([
  'image: nginx:1.29-alpine',
  'image: other/nginx:1.29',
  'image: nginx:${TAG}',
  'command: nginx:1.29',
  `image: nginx:1.29 # ${'x'.repeat(500)}`,
])('%j is not changed', (text) => {
  expect(shown(text)).toEqual([])
})

test('a port of a registry is no tag, and at most five lines are shown', () => {
  const line = '  image: reg.lan:5000/web:1.29\n'
  const lines = shown(line.repeat(9), 'reg.lan:5000/web:1.29')
  expect(lines).toHaveLength(5)
  expect(lines[4]).toEqual({ file: 'compose.yaml', line: 5, text: 'image: reg.lan:5000/web:1.31' })
})
