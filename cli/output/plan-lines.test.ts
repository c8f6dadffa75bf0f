import { expect, test } from 'vitest'
import { planLines } from './plan-lines.ts'

const steps = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [action = '', kind = '', name = '', ...reason] = line.trim().split(' ')
      return { action, kind, name, reason: reason.join(' ') }
    })

const linesOf = (text: string) =>
  planLines(steps(text)).map(({ action, kind, name, reason }) =>
    [action, kind, name, reason].join(' '),
  )

test('the steps that replace a container are one line with its final name', () => {
  expect(
    linesOf(`write files /opt/stacks/shop files changed
      recreate container 0123456789ab_shop-web-1 config changed: image
      stop container shop-web-1 config changed: image
      remove container shop-web-1 config changed: image
      rename container 0123456789ab_shop-web-1 config changed: image
      start container shop-web-1 config changed: image`),
  ).toEqual([
    'write files /opt/stacks/shop files changed',
    'recreate container shop-web-1 config changed: image',
  ])
})

test.each([
  ['create container a new\nstart container a new', 'create container a new'],
  ['stop container a left\nremove container a left', 'remove container a left'],
  ['stop container a with b\nstart container a after b', 'restart container a with b'],
  ['wait container a b needs it', 'wait container a b needs it'],
])('%j is one line', (text, line) => {
  expect(linesOf(text)).toEqual([line])
})

test('warnings, drift and other things keep a line each', () => {
  const text = ['warning service web one', 'warning service web two', 'drift file a modified']
  expect(linesOf(text.join('\n'))).toEqual(text)
})
