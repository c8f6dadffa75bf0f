import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeClientFile } from './client-file.mjs'

test.each([undefined, 'demo-8090'])(
  'the command cli passes its words on (login: %s)',
  (context) => {
    const root = mkdtempSync(join(tmpdir(), "it's a clone "))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const script = join(root, 'main.mjs')
    writeFileSync(
      script,
      'console.log(process.env.CLI_CONTEXT, JSON.stringify(process.argv.slice(2)))',
    )
    const line = writeClientFile(join(root, 'bin'), script, context)
    const run = (shell: string) =>
      execFileSync('sh', ['-c', shell], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })
    expect(run(`${line}; cli stacks list 'a  b' ''`)).toBe(
      `${context} ["stacks","list","a  b",""]\n`,
    )
    expect(run(`${line}; command -v cli`)).toBe(`${root}/bin/cli\n`)
  },
)
