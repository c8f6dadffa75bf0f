import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'

const rooms = ['functions', 'adapters', 'cli', 'local', 'openapi']
const files = ['serverless.ts', 'package.json', 'package-lock.json', 'tsconfig.json']

/** Neither store nor Engine: what a check is for, its tests must see without them. */
const config = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: { include: ['**/*.test.ts'], exclude: ['**/node_modules/**'], pool: 'forks', maxWorkers: 1, testTimeout: 20_000 },
})
`

/** A copy of the tree in which checks can be removed. */
export interface Copy {
  directory: string
  /** Removes a check, and gives what puts it back. Throws when the text is not there exactly once. */
  remove(mutation: Mutation): () => void
  /** True when all tests are green; with what is said of them as JSON. */
  test(paths: string[], only?: string): Promise<{ green: boolean; report: any }>
  drop(): void
}

/** Copies the tree of this program. */
export function makeCopy(root: string): Copy {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-mutation-'))
  for (const name of [...rooms, ...files]) {
    cpSync(join(root, name), join(directory, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'vitest.config.ts'), config)
  return {
    directory,
    remove({ file, text, without, name }) {
      const path = join(directory, file)
      const before = readFileSync(path, 'utf8')
      if (before.split(text).length !== 2) {
        throw new Error(`${file}: ${name}: the text is not there exactly once: ${text}`)
      }
      writeFileSync(
        path,
        before.replace(text, () => without),
      )
      return () => writeFileSync(path, before)
    },
    test: (paths, only) => runTests(directory, paths, only),
    drop: () => rmSync(directory, { recursive: true, force: true }),
  }
}

async function runTests(directory: string, paths: string[], only?: string) {
  const report = join(directory, 'report.json')
  rmSync(report, { force: true })
  const named = only === undefined ? [] : ['-t', only]
  const output = ['--reporter=json', `--outputFile=${report}`]
  const program = join(directory, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run', ...output, ...named, ...paths], {
    cwd: directory,
    stdio: 'ignore',
  })
  const code = await new Promise<number>((resolve) => child.once('exit', (it) => resolve(it ?? 1)))
  const text = readFileSync(report, 'utf8')
  return { green: code === 0, report: JSON.parse(text) }
}
