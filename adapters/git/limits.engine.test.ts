import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsePlace } from '../../functions/core/sources/git-place.ts'
import { type GitServerOptions, startGitServer } from '../../local/harness/git/https-server.ts'
import { rawObjects } from '../../local/harness/git/raw-objects.ts'
import {
  filesOf,
  sourceLimits as limits,
  neverAborted as never,
  testReader,
} from '../../local/harness/git/reader.ts'
import { makeRepository } from '../../local/harness/git/repository.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { openExchange } from './exchange.ts'
import { Meter } from './meter.ts'
import { Repository } from './repository.ts'
import { outputOf } from './run-git.ts'

type Server = Awaited<ReturnType<typeof startGitServer>>
const sourceOf = ({ url, certificateAuthority }: Server) => ({
  url,
  certificateAuthority,
  ref: 'main',
})

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** Lists what it can, and responds to the first command with an error. */
const respondWithError =
  (error: string, isEnded: boolean): NonNullable<GitServerOptions['instead']> =>
  ({ method }, response) => {
    const kind = method === 'GET' ? 'advertisement' : 'result'
    response.writeHead(200, { 'Content-Type': `application/x-git-upload-pack-${kind}` })
    const lines = [
      'version 2\n',
      'agent=x\n',
      'ls-refs\n',
      'fetch=shallow\n',
      'object-format=sha1\n',
    ]
    if (method === 'GET') response.end(`${lines.map(packet).join('')}0000`)
    else if (isEnded) response.end(packet(`ERR ${error}`))
    else response.write(packet(`ERR ${error}`))
    return true
  }

test('a look ends when git has ended and its helper still waits for the server', {
  timeout: 30_000,
}, async () => {
  const server = await startGitServer({ root: '/', instead: respondWithError('x', false) })
  const reader = testReader({ times: { firstByte: 4000, total: 5000 } })
  await expect(reader.look(sourceOf(server), never())).rejects.toMatchObject({
    name: 'SourceFailure',
  })
})

test('what a server says does not pass for a complaint of git about its copy', async () => {
  const said = 'x\nfatal: not a git repository'
  const server = await startGitServer({ root: '/', instead: respondWithError(said, true) })
  await expect(testReader().look(sourceOf(server), never())).rejects.toMatchObject({
    message: expect.not.stringContaining('its copy'),
  })
})

test('a server that sends nothing after the TLS handshake is left', async () => {
  const server = await startGitServer({ root: '/', instead: () => true })
  const reader = testReader({ times: { firstByte: 1000, total: 15_000 } })
  await expect(reader.look(sourceOf(server), never())).rejects.toMatchObject({
    problem: 'unreachable',
    message: expect.stringContaining('sends nothing'),
  })
})

test('a fetch of too many bytes ends and leaves nothing on the disk', async () => {
  const repository = makeRepository()
  repository.git('--git-dir', repository.bare, 'config', 'core.compression', '0')
  const raw = rawObjects(repository)
  const app = raw.tree([['100644', 'a', raw.blob(randomBytes(34 * 1024 ** 2))]])
  const good = raw.tree([['100644', 'compose.yaml', raw.blob('services: {}\n')]])
  const trees = [
    ['40000', 'app', app],
    ['40000', 'good', good],
  ] as const
  const revision = raw.commit(raw.tree(trees))
  const source = sourceOf(await startGitServer({ root: repository.root }))
  const reader = testReader()
  const open = (path: string) =>
    reader.open(source, revision, { paths: [path], limits: { ...limits, bytes: 1024 } }, never())
  await (await open('good')).close()
  await expect(open('app')).rejects.toMatchObject({
    problem: 'too-large',
    message: expect.stringContaining('sends more than 32 MiB'),
  })
  const left = readdirSync(reader.directory, { recursive: true }).map(String)
  expect(left.filter((path) => path.includes('tmp_'))).toEqual([])
})

test('a copy is kept when a name in the repository is refused', async () => {
  const repository = makeRepository()
  const revision = repository.commit({ 'app/a\\b': 'x', 'good/compose.yaml': 'services: {}\n' })
  const server = await startGitServer({ root: repository.root })
  const reader = testReader()
  const open = (path: string) =>
    reader.open(sourceOf(server), revision, { paths: [path], limits }, never())
  await (await open('good')).close()
  const before = [readdirSync(reader.directory), server.requests.length]
  await expect(open('app')).rejects.toMatchObject({ problem: 'malformed' })
  await (await open('good')).close()
  expect([readdirSync(reader.directory), server.requests.length]).toEqual(before)
})

test('a copy with a damaged pack is thrown away and read again', async () => {
  const repository = makeRepository()
  const first = repository.commit({ 'app/compose.yaml': 'services: {}\n' })
  const source = sourceOf(await startGitServer({ root: repository.root }))
  const reader = testReader()
  const open = (revision: string) =>
    reader.open(source, revision, { paths: ['app'], limits }, never())
  await (await open(first)).close()
  const packs = readdirSync(reader.directory, { recursive: true }).map(String)
  for (const name of packs.filter((path) => path.endsWith('.pack'))) {
    truncateSync(join(reader.directory, name), 20)
  }
  const second = repository.commit({ 'app/compose.yaml': 'services: { a: {} }\n' })
  await (await open(second)).close()
})

test('a copy that is damaged while it is read is thrown away', async () => {
  const repository = makeRepository()
  const revision = repository.commit({ 'app/compose.yaml': 'services: {}\n' })
  const source = sourceOf(await startGitServer({ root: repository.root }))
  const reader = testReader()
  const tree = await reader.open(source, revision, { paths: ['app'], limits }, never())
  const [copy = ''] = readdirSync(reader.directory)
  rmSync(join(reader.directory, copy, 'objects'), { recursive: true })
  await expect(filesOf(tree, 'app')).rejects.toMatchObject({ problem: 'unreachable' })
  await tree.close()
  expect(readdirSync(reader.directory)).toEqual([])
})

test('git ends when it reads its copy for too long', async () => {
  const { bare, commit } = makeRepository()
  const tree = commit({ 'app/a': 'x' })
  const within = (time: number) => new Repository(bare, { file: 1024 ** 2, time }, never())
  expect(await within(60_000).entries(tree)).toHaveLength(2)
  await expect(within(1).entries(tree)).rejects.toMatchObject({
    problem: 'unreachable',
    message: expect.stringContaining('longer than 0.001 s'),
  })
  // Nothing is written to it, so it would wait forever.
  expect((await within(500).contents().ended).code).toBeNull()
})

test('the CA of a source replaces the authorities of the system', async () => {
  const { bare } = makeRepository()
  const path = join(bare, '../copy')
  mkdirSync(path)
  const repository = new Repository(path, { file: 1024 ** 2, time: 60_000 }, never())
  await repository.create()
  const meter = new Meter('a', { firstByte: 1000, total: 1000, received: 1 }, never())
  const source = { url: 'https://a/b.git', ref: 'main', certificateAuthority: 'A CA' }
  const place = parsePlace(source.url)
  const line = { place, source, dialer: loopbackDialer(), meter }
  const exchange = await openExchange(line, repository)
  try {
    const words = ['config', '--get', 'http.sslCAPath']
    const run = { ...exchange.run, words, repository: repository.path, signal: never() }
    const { stdout } = await outputOf({ ...run, limits: repository.limits }, 1024)
    expect(readdirSync(stdout.toString().trim())).toEqual([])
  } finally {
    exchange.close()
    meter.close()
  }
})

test('a process of git has limits of time, memory and size', async () => {
  const { bare } = makeRepository()
  const run = {
    repository: bare,
    words: ['-c', 'alias.limits=!ulimit -t; ulimit -v; ulimit -c', 'limits'],
    limits: { memory: 512 * 1024 ** 2, file: 1024 ** 2 },
    signal: never(),
  }
  const { stdout } = await outputOf(run, 1024)
  expect(stdout.toString()).toBe(`300\n${512 * 1024}\n0\n`)
})
