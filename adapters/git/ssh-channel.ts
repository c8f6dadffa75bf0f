import { pipeline, type Readable, type Writable } from 'node:stream'
import type { Client, ConnectConfig } from 'ssh2'
import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import type { GitPlace, GitSource } from '../../functions/core/sources/git-place.ts'
import { fingerprint } from '../net/host-key.ts'
import type { Dialer } from '../net/outbound.ts'
import { dialFailure, uploadPackFailure } from './failures.ts'
import type { Meter } from './meter.ts'

/** A connection to `git-upload-pack` of a server. */
export interface SshChannel {
  readable: Readable
  writable: Writable
  /** Why it ended, if that was before git was done. */
  failure(): SourceFailure | undefined
  close(): void
}

/** Bytes of what the server says on standard error. */
const saidMax = 4096

/**
 * Signs in and starts `git-upload-pack`. The server's key is verified before any credential is
 * sent. The connection is made here and not by a program that git starts, so no key leaves the
 * process.
 *
 * @throws SourceFailure
 */
export async function openSshChannel(
  place: GitPlace,
  source: GitSource,
  dialer: Dialer,
  meter: Meter,
): Promise<SshChannel> {
  const where = `${place.host}:${place.port}`
  const sock = await dialer.connect(place.host, place.port, meter.signal).catch((error) => {
    throw dialFailure(where, error, meter.signal)
  })
  const { Client } = await import('ssh2')
  const client = new Client()
  const seen: { hostKey?: string; lost?: Error } = {}
  const close = () => {
    client.end()
    client.destroy()
    sock.destroy()
  }
  meter.signal.addEventListener('abort', close, { once: true })
  client.on('error', (error) => {
    seen.lost ??= error
  })
  try {
    await ready(client, { ...configOf(place, source, seen), sock })
    return await startUploadPack(client, place, meter, close)
  } catch (error) {
    close()
    if (meter.signal.aborted) throw meter.signal.reason
    throw asFailure(error, where, source, seen)
  }
}

function configOf(place: GitPlace, source: GitSource, seen: { hostKey?: string }): ConnectConfig {
  const { key, hostKey } = source
  return {
    username: place.username ?? 'git',
    ...(key && { privateKey: key.privateKey }),
    hostVerifier: (presented: Buffer) => {
      seen.hostKey = fingerprint(presented)
      return hostKey !== undefined && seen.hostKey === hostKey.replace(/=+$/, '')
    },
    readyTimeout: 30_000,
    keepaliveInterval: 15_000,
    keepaliveCountMax: 4,
  }
}

function ready(client: Client, config: ConnectConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve())
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
    client.connect(config)
  })
}

function startUploadPack(
  client: Client,
  place: GitPlace,
  meter: Meter,
  close: () => void,
): Promise<SshChannel> {
  const command = `git-upload-pack ${quoted(place.path)}`
  return new Promise((resolve, reject) => {
    client.exec(command, { env: { GIT_PROTOCOL: 'version=2' } }, (error, channel) => {
      if (error) return reject(error)
      let said = ''
      let code: number | null | undefined
      channel.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString('latin1')).slice(0, saidMax)
      })
      channel.on('exit', (status: number | null) => {
        code = status
      })
      resolve({
        readable: pipeline(channel, meter.counter(), () => {}),
        writable: channel,
        failure: () => (code ? uploadPackFailure(place, said) : undefined),
        close() {
          meter.signal.removeEventListener('abort', close)
          close()
        },
      })
    })
  })
}

/** Returns a path as a server's shell reads it. */
const quoted = (path: string) => `'${path.replaceAll(/['!]/g, "'\\$&'")}'`

function asFailure(
  error: unknown,
  where: string,
  { hostKey }: GitSource,
  seen: { hostKey?: string; lost?: Error },
): SourceFailure {
  if (error instanceof SourceFailure) return error
  const { level, message } = error as Error & { level?: string }
  const fail = (problem: SourceFailure['problem'], words: string, presented?: string) =>
    new SourceFailure(problem, words, { cause: error, hostKey: presented })
  if (seen.hostKey !== undefined && hostKey === undefined) {
    return fail(
      'host-key-unknown',
      `${where} has the host key ${seen.hostKey}: compare it with the one that the server's operator publishes, and confirm it as host_key`,
      seen.hostKey,
    )
  }
  if (seen.hostKey !== undefined && seen.hostKey !== hostKey?.replace(/=+$/, '')) {
    return fail(
      'host-key-changed',
      `${where} presented the host key ${seen.hostKey}, but the source expects another one: if the server's operator announces the new key, confirm it as host_key`,
      seen.hostKey,
    )
  }
  if (level === 'client-authentication') {
    return fail('denied', `${where} rejected the key of the source: add its public key there`)
  }
  if (/privateKey|parse private key|passphrase/i.test(message)) {
    return fail(
      'denied',
      'the private key of the source cannot be read: it is damaged, or has a passphrase',
    )
  }
  return fail('unreachable', `${where} closed the connection while signing in`)
}
