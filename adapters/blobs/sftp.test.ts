import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SftpTarget } from '../../functions/core/backups/target.ts'
import { type FaultProxy, startFaultProxy } from '../../local/harness/fault-proxy.ts'
import { megabytes, mostAhead } from '../../local/harness/megabytes.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type SshServer, sshPassword, startSsh } from '../../local/harness/ssh-server.ts'
import { backupTargetsContract, inPieces, never, whole } from '../contract/backup-targets.ts'
import { openOutbound } from '../net/outbound.ts'
import { openSftp } from './sftp.ts'
import { backupTargets } from './targets.ts'

let server: SshServer
let line: FaultProxy
beforeAll(async () => {
  server = await startSsh()
  line = await startFaultProxy(server.port)
})
afterEach(() => line.mend())
afterAll(async () => {
  await line.close()
  await server.close()
})

const fresh = () => join(server.directory, randomBytes(6).toString('hex'))
const open = (changes: Partial<SftpTarget> = {}, options: Parameters<typeof openSftp>[2] = {}) =>
  openSftp(server.target({ path: fresh(), ...changes }), loopbackDialer(), options)
/** Opens the target over the line that can fail, with a short idle timeout. */
const openByLine = (path = fresh()) => open({ path, port: line.port }, { idle: 2_000 })
const text = (content: string) => inPieces(Buffer.from(content))

describe('a server of OpenSSH as target', () => {
  backupTargetsContract(() => open(), { many: 300 })
})

test('signing in with a password, with a key, and below the account’s own directory', async () => {
  const byPassword = { password: sshPassword, privateKey: null, passphrase: null }
  for (const [changes, path] of [
    [byPassword, 'by-password'],
    [{}, 'by-key'],
    [{}, 'deep/er/still'],
  ] as const) {
    const place = await open({ ...changes, path })
    await place.put('job/run/one', text(path), never())
    expect((await whole(await place.get('job/run/one'))).toString()).toBe(path)
    expect(readdirSync(join(server.directory, path, 'job/run'))).toEqual(['one'])
    await place.close()
  }
  const { mode } = statSync(join(server.directory, 'by-key/job/run/one'))
  expect(mode & 0o777).toBe(0o600)
  expect(statSync(join(server.directory, 'by-key/job')).mode & 0o777).toBe(0o700)
})

test('a wrong password, key, passphrase, user or port is told, and no secret with it', async () => {
  const cases: [Partial<SftpTarget>, number, string][] = [
    [{ password: 'a-wrong-secret', privateKey: null }, 500, 'refuses the user name, the password'],
    [
      { privateKey: server.strangeKey, passphrase: null },
      500,
      'refuses the user name, the password',
    ],
    [{ username: 'nobody-here' }, 500, 'refuses the user name, the password'],
    [{ passphrase: 'a-wrong-secret' }, 422, 'The private key cannot be read'],
    [{ privateKey: 'a-secret of no form' }, 422, 'The private key cannot be read'],
    [{ port: 1 }, 500, 'cannot be reached (ECONNREFUSED)'],
  ]
  for (const [changes, status, message] of cases) {
    const opening = open(changes)
    await expect(opening, message).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    })
    expect(((await opening.catch((one) => one)) as Error).message).not.toContain('secret')
  }
}, 60_000)

test('a server with another key is told nothing, and its key is shown', async () => {
  const other = `SHA256:${Buffer.alloc(32, 1).toString('base64').replace(/=+$/, '')}`
  for (const hostKey of [other, '', 'SHA256:']) {
    await expect(open({ hostKey })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(`shows the key ${server.target().hostKey}, which is not`),
    })
  }
})

test('422: addresses that must not be reached, unless the configuration allows them', async () => {
  const targets = backupTargets({ directory: '/tmp', dialer: openOutbound([]) })
  for (const host of ['127.0.0.1', 'localhost', '::1', '169.254.169.254', '0.0.0.0']) {
    await expect(targets.open(server.target({ host })), host).rejects.toMatchObject({ status: 422 })
  }
  const dialer = openOutbound([], async () => [{ address: '127.0.0.1', family: 4 }])
  const target = server.target({ host: 'files.example' })
  await expect(openSftp(target, dialer)).rejects.toMatchObject({ status: 422 })
})

test('a disk that is full is told, and nothing is left of the object', async () => {
  const small = fresh()
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=777', 'tmpfs', small])
  try {
    const place = await open({ path: small })
    await place.put('job/old/one', inPieces(randomBytes(1_000_000)), never())
    const put = place.put('job/new/two', inPieces(randomBytes(6_000_000)), never())
    await expect(put).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('is full'),
    })
    expect(readdirSync(join(small, 'job'))).toEqual(['old'])
    await place.put('job/new/two', inPieces(randomBytes(2_000_000)), never())
    await place.close()
  } finally {
    execFileSync('umount', [small])
  }
})

test('where the account may not write is told', async () => {
  const place = await open({ path: '/root/backups' })
  await expect(place.put('job/run/one', text('x'), never())).rejects.toMatchObject({ status: 500 })
})

test('a server that falls silent while it is written to or read from fails with that text', async () => {
  const bytes = randomBytes(12_000_000)
  const message = expect.stringContaining('does not answer: nothing came for 2 s')
  const path = fresh()
  const place = await openByLine(path)
  await place.put('job/run/one', inPieces(bytes), never())
  line.freezeAfter(1_000_000)
  const put = place.put('job/run/two', inPieces(bytes), never())
  await expect(put).rejects.toMatchObject({ status: 500, message })
  await expect(place.list('job')).rejects.toMatchObject({ status: 500, message })
  line.mend()
  const again = await openByLine(path)
  const read = async () => {
    for await (const _ of await again.get('job/run/one')) line.freezeAfter(0)
  }
  await expect(read()).rejects.toMatchObject({ status: 500, message })
}, 60_000)

test('what a broken line left is listed, and is gone when it is removed', async () => {
  const path = fresh()
  const place = await openByLine(path)
  line.cutAfter(3_000_000)
  const put = place.put('job/run/one', inPieces(randomBytes(12_000_000)), never())
  await expect(put).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('broke the connection off'),
  })
  const again = await open({ path })
  const left = await again.list('job/run')
  expect(left.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^job\/run\/\.one\..*\.part$/),
  ])
  await expect(again.get('job/run/one')).rejects.toMatchObject({ status: 404 })
  await again.remove(left.map(({ name }) => name))
  expect(readdirSync(path)).toEqual([])
})

test('a slow server is waited for, the source is not read ahead of it, and it can be stopped', async () => {
  const place = await openByLine()
  line.rate(8_000_000)
  const most = await mostAhead(line, 16, (content) => place.put('job/run/one', content, never()))
  expect(most).toBeLessThan(8_000_000)
  line.rate(300_000)
  const put = place.put('job/run/two', megabytes(16), AbortSignal.timeout(300))
  await expect(put).rejects.toThrow(/timeout/)
}, 60_000)

test('a server that is killed in the middle fails the run with a reason', async () => {
  const doomed = await startSsh()
  try {
    const target = doomed.target()
    const place = await openSftp(target, loopbackDialer(), { idle: 5_000 })
    async function* content() {
      yield randomBytes(1_000_000)
      await doomed.kill()
      for (let piece = 0; piece < 20; piece++) yield randomBytes(1_000_000)
    }
    await expect(place.put('job/run/one', content(), never())).rejects.toMatchObject({
      status: 500,
    })
    await expect(openSftp(target, loopbackDialer())).rejects.toThrow('ECONNREFUSED')
  } finally {
    await doomed.close()
  }
})

test('the address for people has no secret', () => {
  const targets = backupTargets({ directory: '/tmp', dialer: loopbackDialer() })
  const { port } = server
  const location = targets.location(server.target({ path: '/srv/backups' }), 'job/run')
  expect(location).toBe(`sftp://127.0.0.1:${port}/srv/backups/job/run`)
})
