import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import { startGitServer } from '../../local/harness/git/https-server.ts'
import { rawObjects } from '../../local/harness/git/raw-objects.ts'
import {
  filesOf,
  sourceLimits as limits,
  neverAborted as never,
  testReader,
} from '../../local/harness/git/reader.ts'
import { makeRepository, type TestRepository } from '../../local/harness/git/repository.ts'
import { openOutbound } from '../net/outbound.ts'

type Server = Awaited<ReturnType<typeof startGitServer>>
const sourceOf = ({ url, certificateAuthority }: Server) => ({
  ...{ url, certificateAuthority, ref: 'main' },
})

/** Reads everything below a folder of the branch `main`. */
async function readAll(repository: TestRepository, folder = 'app', reader = testReader()) {
  const source = sourceOf(await startGitServer({ root: repository.root }))
  const { revision } = await reader.look(source, never())
  const tree = await reader.open(source, revision, { paths: [folder], limits }, never())
  try {
    return await filesOf(tree, folder)
  } finally {
    await tree.close()
  }
}

const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

describe('refuses by name', () => {
  test.each(['.git', '.GIT', 'git~1', '..', '.', '.g\u200cit', '.git ', 'a/b', 'a\nb', 'a\\b'])(
    'a file %j',
    async (name) => {
      const repository = makeRepository()
      const raw = rawObjects(repository)
      const folder = raw.tree([['100644', name, raw.blob('x')]])
      raw.commit(raw.tree([['40000', 'app', folder]]))
      await expect(readAll(repository)).rejects.toMatchObject({ problem: 'malformed' })
    },
  )

  test('a name of 256 bytes, one that is not UTF-8, and 33 folders', async () => {
    const names = [Buffer.alloc(256, 'a'), Buffer.from([0x61, 0xff])]
    for (const name of names) {
      const repository = makeRepository()
      const raw = rawObjects(repository)
      const folder = raw.tree([['100644', name, raw.blob('x')]])
      raw.commit(raw.tree([['40000', 'app', folder]]))
      await expect(readAll(repository)).rejects.toMatchObject({ problem: 'malformed' })
    }
    const deep = makeRepository()
    deep.commit({ [`app/${'d/'.repeat(31)}f`]: 'x' })
    await expect(readAll(deep)).rejects.toMatchObject({ message: expect.stringContaining('32') })
  })

  test.each(['/etc/passwd', '../../etc/passwd', '../other'])('a link to %s', async (link) => {
    const repository = makeRepository()
    repository.commit({ 'app/out': { link }, other: 'x' })
    await expect(readAll(repository)).rejects.toMatchObject({
      problem: 'malformed',
      message: expect.stringContaining('app/out'),
    })
  })

  test('a submodule in the folder, and one around it', async () => {
    const repository = makeRepository()
    const raw = rawObjects(repository)
    const config = '[submodule "x"]\n\tpath = sub\n\turl = --upload-pack=touch /tmp/owned\n'
    const folder = raw.tree([['160000', 'sub', '1'.repeat(40)]])
    raw.commit(
      raw.tree([
        ['100644', '.gitmodules', raw.blob(config)],
        ['40000', 'app', folder],
      ]),
    )
    for (const path of ['app', 'app/sub', 'app/sub/below']) {
      await expect(readAll(repository, path)).rejects.toMatchObject({ problem: 'malformed' })
    }
    expect(existsSync('/tmp/owned')).toBe(false)
  })

  test('a pointer of Git LFS', async () => {
    const repository = makeRepository()
    const text = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n'
    repository.commit({ 'app/logo.png': text })
    await expect(readAll(repository)).rejects.toMatchObject({
      message: expect.stringContaining('app/logo.png in the repository is kept in Git LFS'),
    })
  })

  test('a file that is too large, and too many of them', async () => {
    const large = makeRepository()
    large.commit({ 'app/large': Buffer.alloc(limits.fileBytes + 1) })
    await expect(readAll(large)).rejects.toMatchObject({ problem: 'too-large' })
    const many = makeRepository()
    many.commit(
      Object.fromEntries(Array.from({ length: limits.files + 1 }, (_, at) => [`app/${at}`, ''])),
    )
    await expect(readAll(many)).rejects.toMatchObject({ problem: 'too-large' })
  })

  test('folders that unfold to 10^12 files', async () => {
    const repository = makeRepository()
    const raw = rawObjects(repository)
    let tree = raw.blob('x')
    for (let depth = 0; depth < 12; depth += 1) {
      const mode = depth === 0 ? '100644' : '40000'
      const id = tree
      tree = raw.tree(Array.from({ length: 10 }, (_, at) => [mode, `f${at}`, id] as const))
    }
    raw.commit(tree)
    const before = process.memoryUsage.rss()
    await expect(readAll(repository, 'f0')).rejects.toMatchObject({ problem: 'too-large' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2)
  })

  test('more bytes than may be received', async () => {
    const repository = makeRepository()
    repository.git('config', 'core.compression', '0')
    repository.commit({ 'app/a': randomBytes(50 * 1024 ** 2) })
    repository.git('--git-dir', repository.bare, 'config', 'uploadpack.allowFilter', 'false')
    await expect(readAll(repository)).rejects.toMatchObject({
      problem: 'too-large',
      message: expect.stringContaining('sends more than 48 MiB'),
    })
  })

  test('a repository with SHA-256', async () => {
    const repository = makeRepository()
    const { execFileSync } = await import('node:child_process')
    const { rmSync } = await import('node:fs')
    rmSync(repository.bare, { recursive: true })
    execFileSync('git', ['init', '--quiet', '--bare', '--object-format=sha256', repository.bare])
    const write = (words: string[], input = '') =>
      execFileSync('git', ['--git-dir', repository.bare, ...words], {
        input,
        encoding: 'utf8',
        env: {
          ...process.env,
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a',
        },
      }).trim()
    const tree = write(['mktree'])
    write(['update-ref', 'refs/heads/main', write(['commit-tree', tree, '-m', 'x'])])
    await expect(readAll(repository, '')).rejects.toMatchObject({
      problem: 'malformed',
      message: expect.stringContaining('SHA-256'),
    })
  })

  test('an object whose content has another ID', async () => {
    const repository = makeRepository()
    repository.commit({ 'app/a': 'right' })
    const { execFileSync } = await import('node:child_process')
    const { deflateSync } = await import('node:zlib')
    const { readdirSync, chmodSync, writeFileSync } = await import('node:fs')
    const id = execFileSync('git', ['hash-object', '--stdin'], {
      input: 'right',
      encoding: 'utf8',
    }).trim()
    const path = join(repository.bare, 'objects', id.slice(0, 2), id.slice(2))
    expect(readdirSync(join(repository.bare, 'objects'))).toContain(id.slice(0, 2))
    chmodSync(path, 0o644)
    writeFileSync(path, deflateSync('blob 5\0wrong'))
    await expect(readAll(repository)).rejects.toMatchObject({ name: 'SourceFailure' })
  })
})

describe('a hostile server', () => {
  test('redirects to a metadata address: it is named and never asked', async () => {
    const repository = makeRepository()
    repository.commit({ 'app/a': 'x' })
    const server = await startGitServer({
      root: repository.root,
      instead: (_request, response) => {
        response.writeHead(302, { Location: 'https://169.254.169.254/latest?token=1' }).end()
        return true
      },
    })
    const account = { username: 'a', password: 'b' }
    await expect(
      testReader().look({ ...sourceOf(server), account }, never()),
    ).rejects.toMatchObject({
      problem: 'not-allowed',
      message: expect.stringContaining('"https://169.254.169.254/latest"'),
    })
  })

  test.each([
    [401, {}, 'denied'],
    [404, {}, 'denied'],
    [429, { 'Retry-After': '120' }, 'limited'],
    [500, {}, 'unreachable'],
    [200, { 'Content-Type': 'text/html' }, 'malformed'],
  ] as const)('answers with %i', async (status, headers, problem) => {
    const repository = makeRepository()
    const instead: NonNullable<Parameters<typeof startGitServer>[0]['instead']> = (_, response) => {
      response.writeHead(status, headers).end('<html>')
      return true
    }
    const server = await startGitServer({ root: repository.root, instead })
    await expect(testReader().look(sourceOf(server), never())).rejects.toMatchObject({
      problem,
      ...(problem === 'limited' && { retryAfter: 120 }),
    })
  })

  test('has a name that resolves to loopback at the second look', async () => {
    const repository = makeRepository()
    const revision = repository.commit({ 'app/a': 'x' })
    const server = await startGitServer({ root: repository.root })
    const answers = ['127.0.0.1', '127.0.0.2']
    const dialer = openOutbound(parseOutboundRules(`127.0.0.1:${server.port}`), async () => [
      { address: answers.length > 1 ? String(answers.shift()) : '127.0.0.2', family: 4 },
    ])
    const source = { ...sourceOf(server), url: `https://git.example.test:${server.port}/bare.git` }
    const git = testReader({ dialer })
    expect(await git.look(source, never())).toEqual({ revision })
    await expect(git.look(source, never())).rejects.toMatchObject({
      problem: 'not-allowed',
      message: expect.stringContaining('resolves to'),
    })
  })

  test('sends nothing, or never ends', async () => {
    const repository = makeRepository()
    repository.commit({ 'app/a': 'x' })
    const server = await startGitServer({
      root: repository.root,
      instead: (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' })
        const timer = setInterval(() => response.write('0'), 50)
        response.once('close', () => clearInterval(timer))
        return true
      },
    })
    const git = testReader({ times: { firstByte: 500, total: 1500 } })
    await expect(git.look(sourceOf(server), never())).rejects.toMatchObject({
      problem: expect.stringMatching(/unreachable|malformed/),
    })
    const { createServer } = await import('node:net')
    const silent = createServer()
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { port } = silent.address() as import('node:net').AddressInfo
    await expect(
      git.look({ ...sourceOf(server), url: `https://127.0.0.1:${port}/x` }, never()),
    ).rejects.toMatchObject({
      problem: 'unreachable',
      message: expect.stringContaining('has not answered within 0.5 s'),
    })
    silent.close()
  })
})

test.each([
  'file:///etc/x.git',
  'http://example.org/x.git',
  'ext::sh -c touch% /tmp/owned',
  'git://example.org/x',
  'https://user:secret@example.org/x',
  'ssh://-oProxyCommand=x/y',
  'ssh://git@example.org/',
  'git@example.org:--upload-pack=x',
  '--upload-pack=x',
  '/srv/x.git',
  'fd::3',
])('never starts git for %s', async (url) => {
  await expect(testReader().look({ url, ref: 'main' }, never())).rejects.toMatchObject({
    problem: 'not-allowed',
  })
})

test.each(['--upload-pack=x', 'a..b', 'a b', 'a^{}', '', '@', 'x.lock', 'a:b', '+a'])(
  'refuses the reference %j',
  async (ref) => {
    await expect(
      testReader().look({ url: 'https://example.org/x', ref }, never()),
    ).rejects.toMatchObject({ problem: 'no-such-ref' })
  },
)

test('an empty commit has no folders', async () => {
  const repository = makeRepository()
  rawObjects(repository).commit(rawObjects(repository).tree([]))
  expect(repository.git('--git-dir', repository.bare, 'rev-parse', 'main^{tree}')).toBe(empty)
  expect(await readAll(repository, '')).toEqual({})
})
