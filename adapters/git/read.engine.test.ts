import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startGitServer } from '../../local/harness/git/https-server.ts'
import {
  filesOf,
  sourceLimits as limits,
  neverAborted as never,
  testReader,
} from '../../local/harness/git/reader.ts'
import { makeRepository } from '../../local/harness/git/repository.ts'
import { startGitSsh } from '../../local/harness/git/ssh-git-server.ts'

const ada = { username: 'ada', password: 'the secret of ada 4711' }

const shop = {
  'README.md': 'about',
  'apps/shop/compose.yaml': 'services: {}\n',
  'apps/shop/.env': 'A=1\n',
  'apps/shop/run.sh': { executable: '#!/bin/sh\n' },
  'apps/shop/config/now': { link: '../run.sh' },
  'apps/mail/docker-compose.yml': 'services: {}\n',
}

test('reads a folder over https with a password and the CA of the source', async () => {
  const repository = makeRepository()
  const revision = repository.commit(shop, 'Open the shop')
  const server = await startGitServer({ root: repository.root, account: ada })
  const { url, certificateAuthority, requests } = server
  const source = { url, ref: 'main', account: ada, certificateAuthority }
  const git = testReader()
  expect(await git.look(source, never())).toEqual({ revision })
  expect(requests.length).toBe(2)
  const tree = await git.open(source, revision, { paths: ['apps/shop'], limits }, never())
  expect(tree.about).toEqual({ author: 'Ada', subject: 'Open the shop', at: 1772600767000 })
  expect(tree.folders()).toEqual([
    { path: 'apps/mail', composeFile: 'docker-compose.yml' },
    { path: 'apps/shop', composeFile: 'compose.yaml' },
  ])
  expect(tree.idOf('apps/shop')).toBe(repository.git('rev-parse', 'HEAD:apps/shop'))
  expect(tree.idOf('apps/none')).toBeUndefined()
  expect(await filesOf(tree, 'apps/shop')).toEqual({
    'compose.yaml': ['services: {}\n', '644'],
    '.env': ['A=1\n', '644'],
    'run.sh': ['#!/bin/sh\n', '755'],
    'config/now': '-> ../run.sh',
  })
  await tree.close()
  // What is here already is not asked for again.
  const before = requests.length
  await (await git.open(source, revision, { paths: ['apps/shop'], limits }, never())).close()
  expect(requests.length).toBe(before)
})

test('a look at a full commit ID asks the server, and takes no branch of that name', async () => {
  const repository = makeRepository()
  const first = repository.commit(shop)
  repository.commit({ ...shop, 'README.md': 'more' })
  repository.git('push', '--quiet', `file://${repository.bare}`, `HEAD:refs/heads/${first}`)
  const { url, hostKey, privateKey } = await startGitSsh(repository.root)
  const source = { url, ref: first, key: { privateKey } }
  await expect(testReader().look(source, never())).rejects.toMatchObject({
    problem: 'host-key-unknown',
  })
  expect(await testReader().look({ ...source, hostKey }, never())).toEqual({ revision: first })
  const gone = { ...source, hostKey, url: url.replace('bare.git', 'none.git') }
  await expect(testReader().look(gone, never())).rejects.toMatchObject({ problem: 'denied' })
})

test('reads a folder over ssh with a key', async () => {
  const repository = makeRepository()
  const revision = repository.commit(shop)
  const { url, hostKey, privateKey } = await startGitSsh(repository.root)
  const git = testReader()
  const source = { url, ref: 'main', hostKey, key: { privateKey } }
  expect(await git.look(source, never())).toEqual({ revision })
  const tree = await git.open(source, revision, { paths: ['apps/mail'], limits }, never())
  expect(await filesOf(tree, 'apps/mail')).toEqual({
    'docker-compose.yml': ['services: {}\n', '644'],
  })
  await tree.close()
  // The service takes no user name and no password for ssh.
  const account = { username: 'git', password: 'the secret of git 4711' }
  const withoutKey = { url, ref: 'main', hostKey, account }
  await expect(git.look(withoutKey, never())).rejects.toMatchObject({ problem: 'denied' })
})

test('HEAD is the default branch, whatever else the repository has', async () => {
  const repository = makeRepository()
  const revision = repository.commit(shop)
  repository.git('checkout', '--quiet', '-b', 'next')
  repository.git('commit', '--quiet', '--allow-empty', '--message', 'Later')
  const bare = `file://${repository.bare}`
  repository.git('push', '--quiet', bare, 'HEAD:refs/heads/next', 'HEAD:refs/heads/x/HEAD')
  repository.git('push', '--quiet', bare, 'HEAD:refs/pull/1/head')
  const { url, certificateAuthority } = await startGitServer({ root: repository.root })
  const source = { url, ref: 'HEAD', certificateAuthority }
  const git = testReader()
  expect(await git.look(source, never())).toEqual({ revision })
  repository.git('--git-dir', repository.bare, 'symbolic-ref', 'HEAD', 'refs/heads/none')
  await expect(git.look(source, never())).rejects.toMatchObject({ problem: 'no-such-ref' })
})

test('a host key is shown at the first look, and a changed one is refused', async () => {
  const repository = makeRepository()
  repository.commit(shop)
  const { url, hostKey, privateKey, commands } = await startGitSsh(repository.root)
  const source = { url, ref: 'main', key: { privateKey } }
  await expect(testReader().look(source, never())).rejects.toMatchObject({
    problem: 'host-key-unknown',
    message: expect.stringContaining(hostKey),
  })
  const other = { ...source, hostKey: `SHA256:${'a'.repeat(43)}` }
  await expect(testReader().look(other, never())).rejects.toMatchObject({
    problem: 'host-key-changed',
    message: expect.stringContaining(hostKey),
  })
  expect(commands).toEqual([])
})

test('follows a force-push, a moved tag, a removed branch and a commit that no name has', async () => {
  const repository = makeRepository()
  const first = repository.commit({ 'a/compose.yaml': 'one' })
  const { url, certificateAuthority } = await startGitServer({ root: repository.root })
  const source = { url, ref: 'main', certificateAuthority }
  const git = testReader()
  const contentOf = async (ref: string) => {
    const { revision } = await git.look({ ...source, ref }, never())
    const tree = await git.open({ ...source, ref }, revision, { paths: ['a'], limits }, never())
    const files = await filesOf(tree, 'a')
    await tree.close()
    return files
  }
  expect(await contentOf('main')).toEqual({ 'compose.yaml': ['one', '644'] })
  repository.git('checkout', '--quiet', '--orphan', 'other')
  repository.commit({ 'a/compose.yaml': 'two' })
  expect(await contentOf('main')).toEqual({ 'compose.yaml': ['two', '644'] })
  expect(await contentOf(first)).toEqual({ 'compose.yaml': ['one', '644'] })
  for (const [content, at] of [
    ['one', first],
    ['two', 'HEAD'],
  ] as const) {
    repository.git('tag', '--force', '--annotate', '--message', 'A tag', 'v1', at)
    repository.git('push', '--quiet', '--force', `file://${repository.bare}`, 'v1')
    expect(await contentOf('v1')).toEqual({ 'compose.yaml': [content, '644'] })
  }
  repository.git('--git-dir', repository.bare, 'config', 'receive.denyDeleteCurrent', 'ignore')
  repository.git('push', '--quiet', `file://${repository.bare}`, ':main')
  await expect(git.look(source, never())).rejects.toMatchObject({ problem: 'no-such-ref' })
  repository.push()
  expect(await contentOf('main')).toEqual({ 'compose.yaml': ['two', '644'] })
})

test.each([
  ['a server without filters', { 'uploadpack.allowFilter': 'false' }, 2],
  ['a server that speaks protocol 0 only', {}, 0],
] as const)('reads from %s', async (_name, settings, protocol) => {
  const repository = makeRepository()
  for (const [name, value] of Object.entries(settings)) {
    repository.git('--git-dir', repository.bare, 'config', name, value)
  }
  const old = repository.commit(shop, 'Old')
  const revision = repository.commit({ ...shop, 'README.md': 'new' }, 'New')
  const server = await startGitServer({ root: repository.root, protocol })
  const source = { url: server.url, ref: 'main', certificateAuthority: server.certificateAuthority }
  const git = testReader()
  expect(await git.look(source, never())).toEqual({ revision })
  const tree = await git.open(source, revision, { paths: ['apps/mail'], limits }, never())
  expect(Object.keys(await filesOf(tree, 'apps/mail'))).toEqual(['docker-compose.yml'])
  await tree.close()
  if (protocol === 2) return
  const byId = { ...source, ref: old }
  await expect(
    testReader().open(byId, old, { paths: [''], limits }, never()),
  ).rejects.toMatchObject({ problem: 'no-such-ref' })
})

test('another account does not read what one has fetched', async () => {
  const repository = makeRepository()
  const revision = repository.commit(shop)
  const server = await startGitServer({ root: repository.root, account: ada })
  const source = {
    url: server.url,
    ref: revision,
    certificateAuthority: server.certificateAuthority,
  }
  const git = testReader()
  const wanted = { paths: ['apps/shop'], limits }
  await (await git.open({ ...source, account: ada }, revision, wanted, never())).close()
  for (const account of [undefined, { ...ada, password: 'wrong' }]) {
    await expect(git.open({ ...source, account }, revision, wanted, never())).rejects.toMatchObject(
      { problem: 'denied' },
    )
  }
})

test('a damaged copy is thrown away and read again', async () => {
  const repository = makeRepository()
  const revision = repository.commit(shop)
  const { url, certificateAuthority } = await startGitServer({ root: repository.root })
  const source = { url, ref: 'main', certificateAuthority }
  const git = testReader()
  const wanted = { paths: ['apps/shop'], limits }
  await (await git.open(source, revision, wanted, never())).close()
  const [copy = ''] = readdirSync(git.directory)
  // What a killed fetch leaves.
  const { rmSync, writeFileSync } = await import('node:fs')
  rmSync(`${git.directory}/${copy}/objects`, { recursive: true })
  writeFileSync(`${git.directory}/${copy}/shallow.lock`, '')
  const tree = await git.open(source, revision, wanted, never())
  expect(Object.keys(await filesOf(tree, 'apps/shop')).length).toBe(4)
  await tree.close()
  expect(readdirSync(git.directory)).not.toContain(copy)
})

test('reads a folder beside a submodule', async () => {
  const repository = makeRepository()
  const modules = '[submodule "lib"]\n\tpath = lib\n\turl = https://example.org/lib\n'
  repository.commit({ ...shop, '.gitmodules': modules })
  repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
  repository.git('commit', '--quiet', '--message', 'A submodule')
  repository.push()
  const https = await startGitServer({ root: repository.root })
  const ssh = await startGitSsh(repository.root)
  for (const source of [
    { url: https.url, certificateAuthority: https.certificateAuthority },
    { url: ssh.url, hostKey: ssh.hostKey, key: { privateKey: ssh.privateKey } },
  ]) {
    const git = testReader()
    const { revision } = await git.look({ ...source, ref: 'main' }, never())
    const wanted = { paths: ['apps/mail'], limits }
    const tree = await git.open({ ...source, ref: 'main' }, revision, wanted, never())
    expect(Object.keys(await filesOf(tree, 'apps/mail'))).toEqual(['docker-compose.yml'])
    await tree.close()
  }
})
