import { expect, test } from 'vitest'
import { maskEnv, maskModel } from './mask.ts'

test('names and comments of an env file stay, values do not', () => {
  const text = '# Database\nUSER=shop\nexport PASSWORD = "a b"\n\nEMPTY=\nINHERITED\n'
  expect(maskEnv(text)).toBe(
    '# Database\nUSER=••••••\nexport PASSWORD =••••••\n\nEMPTY=\nINHERITED\n',
  )
})

test('a value of several lines is hidden as a whole', () => {
  expect(maskEnv('KEY="one\ntwo\nthree"\nNEXT=1')).toBe('KEY=••••••\nNEXT=••••••')
})

test('a colon separates too, and a line that is neither is hidden', () => {
  expect(maskEnv('KEY: value\nsome secret words')).toBe('KEY:••••••\n••••••')
})

test('a model hides variables, arguments of builds and contents', () => {
  const masked = maskModel({
    services: {
      environment: { image: 'a', environment: { A: 'secret', B: null }, labels: { C: 'shown' } },
      web: { build: { args: ['A=secret'], context: '.' }, environment: ['A=secret=2'] },
    },
    secrets: { one: { content: 'secret' } },
    configs: { two: { content: 'secret', name: 'shown' } },
  })
  expect(JSON.stringify(masked)).not.toContain('secret"')
  expect(masked).toMatchObject({
    services: {
      environment: { image: 'a', environment: { A: '••••••', B: null }, labels: { C: 'shown' } },
      web: { build: { args: ['A=••••••'], context: '.' }, environment: ['A=••••••'] },
    },
    configs: { two: { content: '••••••', name: 'shown' } },
  })
})
