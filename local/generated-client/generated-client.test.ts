import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prefix } from '../../serverless.ts'
import { admin, clientWorld } from '../harness/client.ts'
import { givenContainer } from '../harness/world.ts'

const root = resolve(import.meta.dirname, '../..')
const generator = join(root, 'openapi/types/node_modules/@hey-api/openapi-ts/bin/run.js')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** As the project is compiled, and with the checks of declarations. */
const options = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    allowJs: false,
    checkJs: false,
    skipLibCheck: false,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: null,
    allowImportingTsExtensions: false,
    rootDir: '.',
    outDir: 'compiled',
  },
  include: ['calls.ts', 'client'],
  exclude: [],
}

/** The module of `calls.ts`, whose types are those of the generated client. */
interface Program {
  makeCalls(server: string, account: typeof admin): Promise<{ all: string[] }>
}

let folder: string

const run = (program: string, words: string[]) =>
  promisify(execFile)(process.execPath, [program, ...words], { cwd: folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  await copyFile(join(import.meta.dirname, 'calls.ts'), join(folder, 'calls.ts'))
  const input = join(root, 'openapi/openapi.json')
  await run(generator, ['-i', input, '-o', 'client', '-c', '@hey-api/client-fetch', '--silent'])
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('a client that is generated from the description compiles strictly, and works', async () => {
  const compiled = await run(compiler, []).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  expect(compiled.stdout).toBe('')
  const program: Program = await import(pathToFileURL(join(folder, 'compiled/calls.js')).href)
  await using here = await clientWorld()
  await givenContainer(here, 'other')
  const results = await program.makeCalls(`${here.server}${prefix}`, admin)
  expect(results).toEqual({
    created: [201, 'shop'],
    statuses: ['succeeded', 'succeeded', 'succeeded'],
    stale: { error: expect.stringContaining('revision'), reason: 'stale-revision', status: 409 },
    all: [expect.any(String), expect.any(String), expect.any(String)],
    older: results.all.slice(1),
    names: ['other'],
    settings: [3, 409],
    channel: ['ntfy', 'https://ntfy.example.org'],
    hosts: [['local', 'online']],
    removed: 204,
  })
}, 120_000)
