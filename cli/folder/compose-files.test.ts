import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Io } from '../io.ts'
import { type FileChoice, readComposeFiles } from './compose-files.ts'
import { textsOf } from './request-files.ts'

async function directory(files: Record<string, string | Uint8Array>) {
  const cwd = await mkdtemp(join(tmpdir(), 'files-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  return {
    cwd,
    async read(choice: Partial<FileChoice> = {}, input = '') {
      const io = { cwd, stdin: Readable.from([Buffer.from(input)]) } as unknown as Io
      const none = { file: undefined, directory: undefined, envFile: undefined }
      const files = await readComposeFiles(
        { ...none, withoutEnv: false, overlay: [], ...choice },
        io,
      )
      return { ...textsOf(files), sources: files.sources }
    },
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }),
  }
}

const refused = (exitCode: number, message: string) =>
  expect.objectContaining({ exitCode, message: expect.stringContaining(message) })

test('reads the first of the usual names with its overlays', async () => {
  await using at = await directory({
    'docker-compose.yml': 'b',
    'compose.yml': 'a',
    'compose.prod.yml': 'old',
    'compose.prod.yaml': 'p',
    'docker-compose.dev.yml': 'd',
  })
  expect(await at.read()).toEqual({
    compose: 'a',
    overlays: { prod: 'p' },
    sources: ['compose.yml', 'compose.prod.yaml'],
  })
  expect((await at.read({ file: 'docker-compose.yml' })).overlays).toEqual({ dev: 'd' })
})

test('sends .env by default, or another file', async () => {
  await using at = await directory({ 'compose.yaml': 'a', '.env': 'A=1', 'prod.env': 'A=2' })
  expect((await at.read()).env).toBe('A=1')
  expect(await at.read({ withoutEnv: true })).not.toHaveProperty('env')
  expect((await at.read({ envFile: 'prod.env' })).env).toBe('A=2')
  expect((await at.read({ envFile: '/dev/null' })).env).toBe('')
  const both = at.read({ envFile: 'prod.env', withoutEnv: true })
  await expect(both).rejects.toEqual(refused(2, 'use only one'))
})

test('explicit overlays replace the found ones', async () => {
  await using at = await directory({ 'compose.yaml': 'a', 'compose.prod.yaml': 'p', 'x=1': 'x' })
  expect((await at.read({ overlay: ['eu=x=1'] })).overlays).toEqual({ eu: 'x' })
  for (const odd of ['eu', '=x', 'eu=']) {
    await expect(at.read({ overlay: [odd] })).rejects.toEqual(refused(2, '--overlay'))
  }
})

test('standard input provides only the compose file', async () => {
  await using at = await directory({ '.env': 'A=1', 'compose.prod.yaml': 'p' })
  expect(await at.read({ file: '-' }, 'services: {}')).toEqual({
    compose: 'services: {}',
    sources: [],
  })
  await expect(at.read({ file: '-' }, ' \n')).rejects.toEqual(refused(1, 'no compose file'))
})

test('1: no such file, not text, too large', async () => {
  await using none = await directory({})
  await expect(none.read()).rejects.toEqual(refused(1, `no compose.yaml in ${none.cwd}`))
  await expect(none.read({ file: 'x.yaml' })).rejects.toEqual(refused(1, 'x.yaml: no such file'))
  await using bytes = await directory({ 'compose.yaml': Buffer.from([0x61, 0xff]) })
  await expect(bytes.read()).rejects.toEqual(refused(1, 'is not UTF-8 text'))
  await using large = await directory({ 'compose.yaml': 'a'.repeat(4 * 1024 * 1024 + 1) })
  await expect(large.read()).rejects.toEqual(refused(1, 'larger than 4 MiB'))
  await using pipe = await directory({})
  execFileSync('mkfifo', [join(pipe.cwd, 'compose.yaml')])
  await expect(pipe.read()).rejects.toEqual(refused(1, 'it is a FIFO'))
})
