import { expect, test } from 'vitest'
import type { ExecOutput } from '../../../functions/core/ports/engine-exec.ts'
import { refusedStart, translateRefusal } from './refused-start.ts'

const noShell =
  'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown\r\n'
const said =
  'executable file not found: the image has no shell sh; name one of its programs, by its path'

/** Returns the output of a command as `stream text`. */
async function shown(chunks: string[], code: number | null, tty = false) {
  async function* output(): AsyncGenerator<ExecOutput> {
    for (const text of chunks) yield { stream: 'stdout', data: Buffer.from(text) }
  }
  const options = { tty, exitCode: async () => code }
  const all: string[] = []
  for await (const { stream, data } of translateRefusal(output(), options)) {
    all.push(`${stream} ${Buffer.from(data)}`)
  }
  return all
}

test.each([126, 127, 128])(
  'says in words why a command that ended with %i did not start',
  async (code) => {
    expect(await shown([noShell], code)).toEqual([`stderr ${said}\n`])
    expect(await shown([noShell.slice(0, 60), noShell.slice(60)], code)).toEqual([
      `stderr ${said}\n`,
    ])
    expect(await shown([noShell], code, true)).toEqual([`stdout ${said}\r\n`])
  },
)

test('says that a user or directory is missing', async () => {
  const user = 'unable to find user ada: no matching entries in passwd file\r\n'
  expect(await shown([user], 126)).toEqual(['stderr the container has no user ada\n'])
  const id = 'uids and gids must be in range 0-2147483647\r\n'
  const range = 'the ids of the user and of its group must be in the range 0-2147483647'
  expect(await shown([id], 126)).toEqual([`stderr ${range}\n`])
})

test.each([
  ['a program that prints the same and succeeds', [noShell], 0],
  ['a program that prints more', [noShell, 'and more'], 127],
  ['a program that prints something else', ['hello\n', noShell], 127],
  ['a container that was removed', [noShell], null],
  ['an unknown text', ['OCI runtime exec failed: something new\r\n'], 126],
  ['a long text', [noShell, 'x'.repeat(5000)], 126],
  ['no output', [], 127],
])('passes on the output of %s', async (_, chunks, code) => {
  expect((await shown(chunks, code)).join('')).toBe(chunks.map((text) => `stdout ${text}`).join(''))
})

test('translates the output of a command that ran to its end', () => {
  expect(refusedStart(noShell, 127)).toBe(said)
  expect(refusedStart(noShell, 1)).toBeUndefined()
})
