import { expect, test } from 'vitest'
import { nameProblem } from './names.ts'

test.each(['.git', '.GIT', 'git~1', '.g\u200cit', '.git ', '.git.', '.git::$INDEX_ALLOCATION'])(
  'a file system may take %j for .git',
  (name) => {
    expect(nameProblem(`app/${name}/config`)).toContain('may take for .git')
  },
)

test.each(['.gitignore', '.github/x', 'git', 'agit~1', '.git-x'])('accepts %j', (path) => {
  expect(nameProblem(path)).toBeUndefined()
})

test.each(['..', 'a/../b', '.', 'a\nb', 'a\\b', 'a\ufffd', 'a'.repeat(256), 'd/'.repeat(32) + 'f'])(
  'refuses %j',
  (path) => {
    expect(nameProblem(path)).toBeTypeOf('string')
  },
)
