import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  filesOfLanding,
  isChosen,
  landingNumber,
  linesOfLivedIn,
  livedInFiles,
  livedInVariable,
  notLivedIn,
  withWorld,
} from './lived-in.mjs'

const files = Array.from({ length: 12 }, (_, index) => `local/${index}.engine.test.ts`)
const landings = (from: number) => [0, 1, 2, 3, 4].map((step) => filesOfLanding(from + step, files))

test('each of five landings in a row runs other files, and together they run all', () => {
  for (const from of [0, 3, 1999]) {
    const chosen = landings(from)
    expect(chosen.flat().toSorted()).toEqual(files.toSorted())
    for (const part of chosen) expect([2, 3]).toContain(part.length)
  }
})

test('a landing chooses the same files again, in whatever order they are listed', () => {
  expect(filesOfLanding(7, files.toReversed())).toEqual(filesOfLanding(7, files))
  expect(filesOfLanding(12, files)).toEqual(filesOfLanding(7, files))
})

test('a landing is counted, and one without its history is numbered by its commit', () => {
  const root = mkdtempSync(join(tmpdir(), 'landing-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  expect(landingNumber(root)).toBe(0)
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' })
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  git('init', '--quiet', 'whole')
  const commit = (name: string) =>
    git('-C', 'whole', ...author, 'commit', '--quiet', '--allow-empty', '--message', name)
  const clone = () => {
    rmSync(join(root, 'part'), { recursive: true, force: true })
    git('clone', '--quiet', '--depth', '1', `file://${root}/whole`, 'part')
    return landingNumber(join(root, 'part'))
  }
  commit('one')
  const first = clone()
  commit('two')
  const second = clone()
  expect(landingNumber(join(root, 'whole'))).toBe(2)
  expect(second).toBe(Number.parseInt(git('-C', 'whole', 'rev-parse', 'HEAD').slice(0, 8), 16))
  expect(second).not.toBe(first)
})

test('a file is chosen by its whole path', () => {
  const path = '/work/local/scenarios/audit.engine.test.ts'
  const chosen = 'local/journeys/stack.engine.test.ts,local/scenarios/audit.engine.test.ts'
  expect(isChosen(path, chosen)).toBe(true)
  for (const others of ['', undefined, 'audit.engine', 'udit.engine.test.ts'])
    expect(isChosen(path, others), others).toBe(false)
})

test('all journeys and scenarios can be chosen, without those that cannot pass', () => {
  expect(isChosen('/work/local/scenarios/audit.engine.test.ts', '*')).toBe(true)
  expect(isChosen('/work/local/harness/service.engine.test.ts', '*')).toBe(false)
  const chosen = notLivedIn.filter(({ file }) => isChosen(`/work/${file}`, '*'))
  expect(chosen).toEqual([])
})

test('the first lines of a run name the files and the command that repeats them', () => {
  expect(linesOfLivedIn([])).toEqual([])
  expect(linesOfLivedIn(['local/a.engine.test.ts', 'local/b.engine.test.ts'])).toEqual([
    '2 files run in the lived-in world. To repeat that:',
    'npm test -- --world lived-in local/a.engine.test.ts local/b.engine.test.ts',
  ])
})

test('--world is taken from the command line, and knows one world', () => {
  expect(withWorld(['local/journeys'])).toEqual({ words: ['local/journeys'], variables: {} })
  expect(withWorld(['--world', 'lived-in', 'local/journeys'])).toEqual({
    words: ['local/journeys'],
    variables: { [livedInVariable]: '*' },
  })
  expect(() => withWorld(['--world', 'empty'])).toThrow('unknown world empty')
})

test('the lists name files that exist, and none of them twice', () => {
  const all = [...livedInFiles, ...notLivedIn.map(({ file }) => file)]
  expect(all.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})
