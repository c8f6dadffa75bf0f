import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scripts } from './scripts.ts'

/**
 * Returns what bash offers for a line, and the words that the client was asked with. `cli` is a
 * file, or an alias of one whose path has a space.
 */
function completedByBash(line: string, program: 'file' | 'alias') {
  const directory = mkdtempSync(join(tmpdir(), 'completion '))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const answers =
    '#!/bin/sh\nprintf "%s\\n" "$@" > asked\nprintf "reg:5000/a:1\\tx\\nreg:5000/b:2\\ty\\n"\n'
  writeFileSync(join(directory, program === 'file' ? 'cli' : 'main'), answers, { mode: 0o755 })
  writeFileSync(join(directory, 'cli.bash'), scripts.bash)
  const script = [
    ...(program === 'alias' ? [`alias cli="CLI_CONTEXT=a '${directory}/main'"`] : []),
    'source ./cli.bash',
    `COMP_LINE='${line}more' COMP_POINT=${line.length}`,
    '_cli_complete',
    'printf "%s\\n" "${COMPREPLY[@]}" -- ; cat asked',
  ].join('\n')
  const env = { PATH: `${directory}:/usr/bin:/bin`, COMP_WORDBREAKS: ' :=' }
  const words = ['--norc', '-c', script]
  const options = { cwd: directory, env, encoding: 'utf8' } as const
  return execFileSync('bash', words, options).trim().split('\n')
}

test.each(['file', 'alias'] as const)(
  'bash completes words, also behind a colon, and runs nothing in them (cli is: %s)',
  (program) => {
    expect(completedByBash('cli images rm $(reboot) reg:', program)).toEqual([
      ...['5000/a:1', '5000/b:2', '--'],
      ...['completion', 'bash', 'images', 'rm', '$(reboot)', 'reg:'],
    ])
  },
)
