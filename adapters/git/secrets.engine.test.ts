import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startGitServer } from '../../local/harness/git/https-server.ts'
import { filesOf, neverAborted, sourceLimits, testReader } from '../../local/harness/git/reader.ts'
import { makeRepository } from '../../local/harness/git/repository.ts'
import { startGitSsh } from '../../local/harness/git/ssh-git-server.ts'

/** Looks at all new processes again and again, and keeps what a secret was found in. */
function watchProcesses(secrets: readonly string[]) {
  const found = new Set<string>()
  let runs = 0
  const before = new Set(readdirSync('/proc'))
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (before.has(pid)) continue
      for (const name of ['cmdline', 'environ']) {
        const text = readOrNothing(`/proc/${pid}/${name}`)
        if (text.includes('git\0') && text.includes('--git-dir=')) runs += 1
        if (secrets.some((secret) => text.includes(secret))) found.add(`${pid} ${name}`)
      }
    }
  }
  const timer = setInterval(look, 10)
  onTestFinished(() => clearInterval(timer))
  return { found, runs: () => runs }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process has ended.
    return ''
  }
}

test('no password or key is in a process, a file or an error', async () => {
  const account = { username: 'ada', password: 'pass-8c1f-of-ada' }
  const pair = Buffer.from(`${account.username}:${account.password}`).toString('base64')
  const repository = makeRepository()
  const https = await startGitServer({ root: repository.root, account })
  const ssh = await startGitSsh(repository.root)
  const key = ssh.privateKey.split('\n')[2] ?? ''
  expect(key.length).toBeGreaterThan(20)
  const seen = watchProcesses([account.password, pair, key])
  const reader = testReader()
  const sources = [
    { url: https.url, ref: 'main', account, certificateAuthority: https.certificateAuthority },
    { url: ssh.url, ref: 'main', hostKey: ssh.hostKey, key: { privateKey: ssh.privateKey } },
  ]
  for (let round = 0; round < 2; round += 1) {
    const revision = repository.commit({ 'app/compose.yaml': `${round}` })
    for (const source of sources) {
      await reader.look(source, neverAborted())
      const wanted = { paths: ['app'], limits: sourceLimits }
      const tree = await reader.open(source, revision, wanted, neverAborted())
      await filesOf(tree, 'app')
      await tree.close()
      if (round > 0) continue
      const failed = await reader
        .look({ ...source, url: source.url.replace('bare', 'gone') }, neverAborted())
        .catch((error: Error) => `${error.stack} ${(error.cause as Error | undefined)?.message}`)
      expect(failed).toContain('SourceFailure')
      expect(failed).not.toMatch(new RegExp(`${account.password}|${pair}`))
    }
  }
  expect(seen.runs()).toBeGreaterThan(0)
  expect([...seen.found]).toEqual([])
  const grep = (text: string) =>
    execFileSync('sh', [
      '-c',
      'grep -rlaF -e "$1" "$2" || true',
      'sh',
      text,
      reader.directory,
    ]).toString()
  for (const secret of [account.password, pair, key]) expect(grep(secret)).toBe('')
  expect(grep('repositoryformatversion')).not.toBe('')
})
