import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { version } from './version.ts'

const room = import.meta.dirname

test('every command has its file, and every file is a command', () => {
  const files = readdirSync(join(room, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, '').split(/[\\/]/).join(' '))
  expect(Object.keys(commands).sort()).toEqual(files.sort())
})

test.each(Object.entries(commands))('%s loads its file', async (words, entry) => {
  const file = join(room, 'commands', `${words.split(' ').join('/')}.ts`)
  expect(existsSync(file)).toBe(true)
  expect((await entry.load()).default).toBe((await import(file)).default)
})

test('the version is that of the package', () => {
  const text = readFileSync(resolve(room, '../package.json'), 'utf8')
  expect(version).toBe(JSON.parse(text).version)
})
