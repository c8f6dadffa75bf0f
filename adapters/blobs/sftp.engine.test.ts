import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SftpTarget } from '../../functions/core/records/backup-target.ts'
import { type FaultProxy, startFaultProxy } from '../../local/harness/fault-proxy.ts'
import { maxReadAhead, megabytes } from '../../local/harness/megabytes.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type SshServer, sshPassword, startSsh } from '../../local/harness/ssh-server.ts'
import { openOutbound } from '../net/outbound.ts'
import {
  backupTargetsContract,
  inPieces,
  neverAborted,
  readAll,
} from '../testing/contract/backup-targets.ts'
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

test('signs in with a password or a key; starts in the home directory', async () => {
  const byPassword = { password: sshPassword, privateKey: null, passphrase: null }
  for (const [changes, path] of [
    [byPassword, 'by-password'],
    [{}, 'by-key'],
    [{}, 'deep/er/still'],
  ] as const) {
    const place = await open({ ...changes, path })
    await place.put('job/run/one', text(path), neverAborted())
    expect((await readAll(await place.get('job/run/one'))).toString()).toBe(path)
    expect(readdirSync(join(server.directory, path, 'job/run'))).toEqual(['one'])
    await place.close()
  }
  const { mode } = statSync(join(server.directory, 'by-key/job/run/one'))
  expect(mode & 0o777).toBe(0o600)
  expect(statSync(join(server.directory, 'by-key/job')).mode & 0o777).toBe(0o700)
})

test('reports a wrong password, key, passphrase, user or port without the secret', async () => {
  const cases: [Partial<SftpTarget>, number, string][] = [
    [{ password: 'a-wrong-secret', privateKey: null }, 500, 'rejected the user name, the password'],
    [
      { privateKey: server.strangeKey, passphrase: null },
      500,
      'rejected the user name, the password',
    ],
    [{ username: 'nobody-here' }, 500, 'rejected the user name, the password'],
    [{ passphrase: 'a-wrong-secret' }, 422, 'The private key cannot be read'],
    [{ privateKey: 'a-secret of no form' }, 422, 'The private key cannot be read'],
    [{ port: 1 }, 500, 'is unreachable (ECONNREFUSED)'],
  ]
  for (const [changes, status, message] of cases) {
    const opening = open(changes)
    await expect(opening, message).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    })
    expect(((await opening.catch((one) => one)) as Error).message).not.toContain('secret')
  }
})

test('rejects an unexpected host key before signing in and reports it', async () => {
  const other = `SHA256:${Buffer.alloc(32, 1).toString('base64').replace(/=+$/, '')}`
  for (const hostKey of [other, '', 'SHA256:']) {
    await expect(open({ hostKey })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(`presented the host key ${server.target().hostKey}, but`),
    })
  }
})

test('422: rejects local addresses unless the configuration allows them', async () => {
  const targets = backupTargets({ directory: '/tmp', dialer: openOutbound([]) })
  for (const host of ['127.0.0.1', 'localhost', '::1', '169.254.169.254', '0.0.0.0']) {
    await expect(targets.open(server.target({ host })), host).rejects.toMatchObject({ status: 422 })
  }
  const dialer = openOutbound([], async () => [{ address: '127.0.0.1', family: 4 }])
  const target = server.target({ host: 'files.example' })
  await expect(openSftp(target, dialer)).rejects.toMatchObject({ status: 422 })
})

test('500: the disk is full: removes the partial object', async () => {
  const small = fresh()
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=777', 'tmpfs', small])
  try {
    const place = await open({ path: small })
    await place.put('job/old/one', inPieces(randomBytes(1_000_000)), neverAborted())
    const put = place.put('job/new/two', inPieces(randomBytes(6_000_000)), neverAborted())
    await expect(put).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('is full'),
    })
    expect(readdirSync(join(small, 'job'))).toEqual(['old'])
    await place.put('job/new/two', inPieces(randomBytes(2_000_000)), neverAborted())
    await place.close()
  } finally {
    execFileSync('umount', [small])
  }
})

test('500: the account may not write there', async () => {
  const place = await open({ path: '/root/backups' })
  await expect(place.put('job/run/one', text('x'), neverAborted())).rejects.toMatchObject({
    status: 500,
  })
})

test('500: the server stops responding during a read or a write', async () => {
  const bytes = randomBytes(12_000_000)
  const message = expect.stringContaining('does not respond: no data for 2 s')
  const path = fresh()
  const direct = await open({ path })
  await direct.put('job/run/one', inPieces(bytes), neverAborted())
  const place = await openByLine(path)
  line.freezeAfter(1_000_000)
  const put = place.put('job/run/two', inPieces(bytes), neverAborted())
  await expect(put).rejects.toMatchObject({ status: 500, message })
  await expect(place.list('job')).rejects.toMatchObject({ status: 500, message })
  line.mend()
  const again = await openByLine(path)
  const read = async () => {
    for await (const _ of await again.get('job/run/one')) line.freezeAfter(0)
  }
  await expect(read()).rejects.toMatchObject({ status: 500, message })
})

test('lists and removes what a broken connection left', async () => {
  const path = fresh()
  const place = await open({ path, port: line.port })
  line.cutAfter(3_000_000)
  const put = place.put('job/run/one', inPieces(randomBytes(12_000_000)), neverAborted())
  await expect(put).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('closed the connection'),
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

test('waits for a slow server without reading ahead, and can be stopped', async () => {
  const place = await open({ port: line.port })
  line.rate(8_000_000)
  const most = await maxReadAhead(line, 16, (content) =>
    place.put('job/run/one', content, neverAborted()),
  )
  expect(most).toBeLessThan(8_000_000)
  line.rate(300_000)
  const stop = AbortSignal.timeout(300)
  stop.addEventListener('abort', () => line.rate())
  await expect(place.put('job/run/two', megabytes(16), stop)).rejects.toThrow(/timeout/)
})

test('500: the server is killed during a write', async () => {
  const doomed = await startSsh()
  try {
    const target = doomed.target()
    const place = await openSftp(target, loopbackDialer(), { idle: 5_000 })
    async function* content() {
      yield randomBytes(1_000_000)
      await doomed.kill()
      for (let piece = 0; piece < 20; piece++) yield randomBytes(1_000_000)
    }
    await expect(place.put('job/run/one', content(), neverAborted())).rejects.toMatchObject({
      status: 500,
    })
    await expect(openSftp(target, loopbackDialer())).rejects.toThrow('ECONNREFUSED')
  } finally {
    await doomed.close()
  }
})

test('the displayed address contains no secret', () => {
  const targets = backupTargets({ directory: '/tmp', dialer: loopbackDialer() })
  const { port } = server
  const location = targets.location(server.target({ path: '/srv/backups' }), 'job/run')
  expect(location).toBe(`sftp://127.0.0.1:${port}/srv/backups/job/run`)
})
