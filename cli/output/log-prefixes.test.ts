import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { logPrefixes } from './log-prefixes.ts'

const terminal = (env = {}) => ({
  stdout: Object.assign(new PassThrough(), { isTTY: true, columns: 80 }),
  env,
})
const services = Array.from({ length: 10 }, (_, at) => `service-${at}`)

test('ten services have ten colours, and each keeps its own', () => {
  const prefixes = logPrefixes(terminal())
  const of = (name: string) => prefixes.of(`${name}-id`, name)
  const colours = services.map((name) => of(name).split('service')[0])
  expect(new Set(colours).size).toBe(10)
  for (const colour of colours) expect(colour).toMatch(/^\u001b\[\d+m$/)
  expect(services.map((name) => of(name).split('service')[0])).toEqual(colours)
})

test('has no colours with NO_COLOR, nor without a terminal', () => {
  for (const io of [terminal({ NO_COLOR: '1' }), { stdout: new PassThrough(), env: {} }])
    expect(logPrefixes(io).of('1', 'web')).toBe('web | ')
})

test('a name of a service does not control the terminal', () => {
  expect(logPrefixes(terminal({ NO_COLOR: '1' })).of('1', 'a\u001b[2J')).toBe('a\\u001b[2J | ')
})
