import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { pack } from 'tar-stream'
import { expect, onTestFinished, test } from 'vitest'
import { ignoreFile } from '../../../functions/compose/build/ignore-file.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import fc from '../../../local/harness/properties.ts'
import { headersIn } from '../../testing/tar.ts'
import { contextArchive } from './build-context.ts'

/** The files of the contexts, most of them with names that patterns spell in several ways. */
const files = [
  ...[
    'a',
    'b',
    'ab',
    'aab',
    '.a',
    'a.b',
    'a-b',
    'a b',
    'A',
    'ä',
    '😀',
    'a😀',
    'a*',
    '[a]',
    '#a',
    '!a',
  ],
  ...['d/a', 'd/b', 'd/ab', 'd/.a', 'd/e/a', 'd/e/b', 'd/e/f/a', 'x/a', 'x/d/a', 'x/d/e/b', '.d/a'],
]

test('a build context has the files that the docker client sends', async () => {
  const sent: Buffer[] = []
  const { transport } = await loopbackEngine(({ method, path }, response, request) => {
    if (path === '/_ping') return response.writeHead(200, { 'Api-Version': '1.41' }).end('OK')
    if (method !== 'POST' || path !== '/build') return undefined
    request.toArray().then((chunks) => {
      sent.push(Buffer.concat(chunks))
      json(response, 200, { aux: { ID: 'sha256:0f' } })
    })
    return true
  })
  const directory = await mkdtemp('/tmp/ignored-files-')
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const path of [...files, 'Dockerfile']) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), '')
  }

  /** Returns the paths that the client sends, or undefined if it refuses the file. */
  async function byClient(text: string): Promise<string[] | undefined> {
    await writeFile(join(directory, '.dockerignore'), text)
    const env = {
      ...process.env,
      DOCKER_BUILDKIT: '0',
      DOCKER_HOST: `tcp://127.0.0.1:${transport.port}`,
    }
    const before = sent.length
    const ended = promisify(execFile)('docker', ['build', '--quiet', directory], { env })
    await ended.catch((error) => {
      if (!/pattern/.test(error.stderr)) throw error
    })
    const archive = sent[before]
    return archive && pathsIn(archive)
  }

  let accepted = 0
  await fc.assert(
    fc.asyncProperty(ignoreTexts, async (text) => {
      const ours = await byService(text)
      expect(ours).toEqual(await byClient(text))
      if (ours !== undefined) accepted += 1
    }),
    { numRuns: 60, endOnFailure: true },
  )
  // It does not just refuse everything.
  expect(accepted).toBeGreaterThan(20)
})

async function byService(text: string): Promise<string[] | undefined> {
  const archive = pack()
  archive.entry({ name: 'app/', type: 'directory' })
  const directories = new Set(files.map(dirname).filter((path) => path !== '.'))
  for (const path of ['x/d', ...directories])
    archive.entry({ name: `app/${path}/`, type: 'directory' })
  for (const path of [...files, 'Dockerfile', '.dockerignore'])
    archive.entry({ name: `app/${path}` }, '')
  archive.finalize()
  try {
    const options = {
      ignoring: ignoreFile(text, '.dockerignore'),
      always: ['Dockerfile', '.dockerignore'],
      omitted: [],
    }
    const context = contextArchive(Readable.from(archive as AsyncIterable<Buffer>), options, {})
    const chunks: Buffer[] = []
    for await (const chunk of context) chunks.push(chunk)
    return await pathsIn(Buffer.concat(chunks))
  } catch (error) {
    if ((error as { status?: number }).status !== 422) throw error
    return undefined
  }
}

const pathsIn = async (archive: Buffer) =>
  (await headersIn(archive)).flatMap(({ name, type }) => (type === 'file' ? name : [])).sort()

/**
 * Parts of patterns. Not among them: `|`, `{` and `}`, letters after a backslash, and `*` and `?`
 * in a class. The client makes a regular expression of a pattern and forgets to escape these.
 */
const piece = fc.constantFrom(
  ...['a', 'b', 'd', 'e', 'x', 'ab', '.', '..', '*', '**', '?', '/', '/', '/', '.a', 'ä', '😀'],
  ...['[a]', '[ab]', '[^a]', '[a-d]', '[/]', '[', ']', '\\*', '\\?', '-', ' ', '#', '!', '+', '$'],
)
const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => all.join(''))
/**
 * Paths as they are after `!`: below a directory that is left out the client does not look for what
 * a pattern such as `!*` + `/a` brings back. BuildKit does, and so does the service.
 */
const path = fc.constantFrom(...files)
const line = fc.oneof(
  { weight: 6, arbitrary: pattern },
  { weight: 2, arbitrary: path.map((one) => `!${one}`) },
  { weight: 1, arbitrary: fc.constantFrom('*', '**', '**/a', '**b', 'd/**', 'x/', 'd/../a') },
)
const before = fc.constantFrom('', '', '', ' ', '\t', '\u0085', '\u00a0', '\u2028')
const after = fc.constantFrom('', '', '', ' ', '\t', '\r', '\u0085', '\u00a0', '\ufeff', '\u2028')
const lines = fc.array(
  fc.tuple(before, line, after).map((all) => all.join('')),
  { maxLength: 4 },
)
const ignoreTexts = fc
  .tuple(fc.constantFrom('', '\ufeff'), lines)
  .map(([mark, all]) => mark + all.join('\n'))
