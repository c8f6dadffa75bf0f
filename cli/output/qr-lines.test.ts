import { PassThrough } from 'node:stream'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrLines } from './qr-lines.ts'

const text = 'otpauth://totp/stacks:ada?secret=JBSWY3DPEHPK3PXP&issuer=stacks'
const terminal = (columns: number, env = {}) => ({
  stdout: Object.assign(new PassThrough(), { isTTY: true, columns }),
  env,
})

/** Reads the modules back from the lines; true is dark. */
const modulesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const signs = [...line]
    return [signs.map((sign) => !/[█▀]/.test(sign)), signs.map((sign) => !/[█▄]/.test(sign))]
  })

test('has the modules of the code, with a light border', () => {
  const { data, size } = encode(text, { border: 2 })
  const modules = modulesOf(qrLines(text, terminal(200, { NO_COLOR: '1' })))
  expect(modules.slice(0, size)).toEqual(data)
  expect(modules[0]?.every((isDark) => !isDark)).toBe(true)
})

test('sets both colours, so that the theme of the terminal does not matter', () => {
  const lines = qrLines(text, terminal(200))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect(line).toMatch(/^\u001b\[97;40m[█▀▄ ]+\u001b\[0m$/)
})

test('is left out where it has no room', () => {
  expect(qrLines(text, terminal(20))).toEqual([])
  expect(qrLines(text, { stdout: new PassThrough(), env: {} })).toEqual([])
})
