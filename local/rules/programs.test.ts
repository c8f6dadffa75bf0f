import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

test('a program starts only itself, Java for its store, and git with limits', () => {
  const root = join(import.meta.dirname, '../..')
  const rooms = ['functions', 'adapters']
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      // What tests share is in no bundle.
      .filter((file) => !file.startsWith('testing/'))
      .map((file) => join(root, room, file)),
  )
  expect(files.length).toBeGreaterThan(100)
  const imports = files.flatMap((file) => {
    const [line] = readFileSync(file, 'utf8').match(/^.*child_process.*$/m) ?? []
    return line === undefined ? [] : [`${relative(root, file)}: ${line}`]
  })
  // `fork` runs one of our own files with Node, also the new version of an agent that the service
  // sent. The store's files run Java with the store's own jar, and those of git run `git` within
  // `prlimit`: no shell, and no program that an input could choose.
  expect(imports.sort()).toEqual([
    "adapters/agent/replace-program.ts: import { fork } from 'node:child_process'",
    "adapters/git/installed.ts: import { execFile } from 'node:child_process'",
    "adapters/git/run-git.ts: import { type ChildProcess, spawn } from 'node:child_process'",
    "adapters/node/compose-worker/worker-process.ts: import { type ChildProcess, fork } from 'node:child_process'",
    "adapters/node/store-supervisor/java.ts: import { execFile } from 'node:child_process'",
    "adapters/node/store-supervisor/watch.ts: import { type ChildProcess, spawn } from 'node:child_process'",
  ])
})
