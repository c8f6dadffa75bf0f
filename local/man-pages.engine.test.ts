import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../cli/commands.ts'
import { manualPages } from './reference/man-pages.ts'

const folder = resolve(import.meta.dirname, '../docs/man')
const names = readdirSync(folder)
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

test('there are no other pages than those of the commands', () => {
  expect(names.toSorted()).toEqual(Object.keys(manualPages).toSorted())
})

test('every command is on a page', () => {
  const all = names.map(textOf).join('\n')
  for (const words of Object.keys(commands))
    expect(all).toContain(`.SS "cli ${words.replaceAll('-', '\\-')}`)
})

const requests = /^\.(TH|SH|SS|B|BR|I|PP|TP|EX|EE|in)\b/

test.each(names)('%s has only known requests, and plain text', (name) => {
  for (const line of textOf(name).split('\n')) {
    if (/^[.']/.test(line)) expect(line).toMatch(requests)
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(line.replace(/\\(e|-|&|\((cq|ga|ti|ha|dq))/g, '')).not.toContain('\\')
  }
})

/** Not every machine has groff. Debian has it with its manual pages. */
const hasGroff = spawnSync('groff', ['--version']).status === 0

test.runIf(hasGroff).each(names)('groff formats %s without a warning', (name) => {
  const { status, stdout, stderr } = spawnSync(
    'groff',
    ['-man', '-Tascii', '-ww', join(folder, name)],
    { encoding: 'utf8' },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('(1)')
})
