import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutStyleAttribute } from './xterm.mjs'

const url = new URL('../../../node_modules/@xterm/xterm/lib/xterm.mjs', import.meta.url)
const code = readFileSync(url, 'utf8')

test('the terminal writes no style attribute after the mend', () => {
  const mended = withoutStyleAttribute(code)
  expect(mended).not.toContain('setAttribute("style"')
  expect(mended.split('.style.cssText=(').length).toBe(code.split('.style.cssText=(').length + 1)
})

test('a version that writes another number of them fails the build', () => {
  expect(() => withoutStyleAttribute('a.b()')).toThrow('0 style attributes')
  expect(() => withoutStyleAttribute(code + code)).toThrow('2 style attributes')
})
