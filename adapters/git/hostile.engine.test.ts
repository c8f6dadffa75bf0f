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
  url,
  certificateAuthority,
  ref: 'main',
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
  test('names that git itself refuses', async () => {
    const repository = makeRepository()
    const source = sourceOf(await startGitServer({ root: repository.root }))
    const reader = testReader()
    const raw = rawObjects(repository)
    for (const name of ['.GIT', '..']) {
      const folder = raw.tree([['100644', name, raw.blob('x')]])
      const revision = raw.commit(raw.tree([['40000', 'app', folder]]))
      await expect(
        reader.open(source, revision, { paths: ['app'], limits }, never()),
      ).rejects.toMatchObject({ problem: 'malformed' })
    }
  })

  test('names that git accepts, and links out of the folder', async () => {
    const repository = makeRepository()
    const source = sourceOf(await startGitServer({ root: repository.root }))
    const reader = testReader()
    const raw = rawObjects(repository)
    const blob = raw.blob('x')
    const names = ['a\nb', 'a\\b', Buffer.alloc(256, 'a'), Buffer.from([0x61, 0xff])]
    const named = names.map((name) => raw.tree([['100644', name, blob]]))
    const links = ['/etc/passwd', '../../etc/passwd', '../other']
    const linked = links.map((link) => raw.tree([['120000', 'out', raw.blob(link)]]))
    const trees = [...named, ...linked].map((id, at) => ['40000', `${at}`, id] as const)
    const revision = raw.commit(raw.tree(trees))
    for (const [, folder] of trees) {
      const read = async () => {
        const tree = await reader.open(source, revision, { paths: [folder], limits }, never())
        await filesOf(tree, folder).finally(() => tree.close())
      }
      await expect(read()).rejects.toMatchObject({ problem: 'malformed' })
    }
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
    const reader = testReader()
    for (const path of ['app', 'app/sub/below']) {
      const read = readAll(repository, path, reader)
      await expect(read).rejects.toMatchObject({ problem: 'malformed' })
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
    const repository = makeRepository()
    const raw = rawObjects(repository)
    const large = raw.tree([['100644', 'a', raw.blob(Buffer.alloc(limits.fileBytes + 1))]])
    const empty = raw.blob('')
    const names = Array.from({ length: limits.files + 1 }, (_, at) => `${at + 1000}`)
    const many = raw.tree(names.map((name) => ['100644', name, empty] as const))
    raw.commit(
      raw.tree([
        ['40000', 'large', large],
        ['40000', 'many', many],
      ]),
    )
    for (const folder of ['large', 'many']) {
      await expect(readAll(repository, folder)).rejects.toMatchObject({ problem: 'too-large' })
    }
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
    const server = await startGitServer({
      root: '/',
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
    [429, { 'Retry-After': '120' }, 'limited'],
    [500, {}, 'unreachable'],
    [200, { 'Content-Type': 'text/html' }, 'malformed'],
  ] as const)('answers with %i', async (status, headers, problem) => {
    const instead: NonNullable<Parameters<typeof startGitServer>[0]['instead']> = (_, response) => {
      response.writeHead(status, headers).end('<html>')
      return true
    }
    const server = await startGitServer({ root: '/', instead })
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
    const server = await startGitServer({
      root: '/',
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
