import { createHash } from 'node:crypto'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import type { SftpTarget } from '../../functions/core/backups/target.ts'
import { broken, unprocessable } from '../../functions/core/errors.ts'
import type { Dialer } from '../net/outbound.ts'
import { isFailure, patiently, Silence } from './patience.ts'

/** A connection for file operations. */
export interface SftpSession {
  sftp: SFTPWrapper
  /** The name of the server for error messages. */
  where: string
  /**
   * Returns the result of a protocol call. Rejects with a 500 if it fails or exceeds the idle
   * timeout.
   */
  ask<T>(call: (done: Done<T>) => void, signal?: AbortSignal): Promise<T>
  end(): void
}

export type Done<T> = (error: Error | undefined | null, answer?: T) => void

/** Connects and signs in. The server's key is verified before any credential is sent. */
export async function connectSftp(
  target: SftpTarget,
  dialer: Dialer,
  { idle, signal }: { idle: number; signal?: AbortSignal },
): Promise<SftpSession> {
  const where = `The SFTP server ${target.host}:${target.port}`
  const sock = await dial(target, dialer, { where, idle, signal })
  const { Client } = await import('ssh2')
  const client = new Client()
  const seen: { hostKey?: string; lost?: Error } = {}
  const failed = (error: unknown) => asFailure(error, where, { target, idle, ...seen })
  const end = () => {
    client.end()
    client.destroy()
  }
  try {
    const config = { ...configOf(target, idle, seen), sock }
    await patiently(ready(client, target, config), { where, idle, signal })
    client.on('error', (error) => {
      seen.lost = error
    })
    client.on('close', () => {
      seen.lost ??= new Error('closed')
    })
    const sftp = await patiently(
      promised<SFTPWrapper>((done) => client.sftp(done)),
      { where, idle, signal },
    )
    return {
      sftp,
      where,
      async ask(call, stop) {
        if (seen.lost) throw failed(seen.lost)
        try {
          return await patiently(promised(call), { where, idle, signal: stop })
        } catch (error) {
          if (stop?.aborted) throw stop.reason
          if (isFailure(error)) {
            // After a timeout the connection is not used again.
            seen.lost = error
            end()
          }
          throw failed(error)
        }
      },
      end,
    }
  } catch (error) {
    client.on('error', () => {})
    end()
    throw signal?.aborted ? signal.reason : failed(error)
  }
}

async function dial(
  { host, port }: SftpTarget,
  dialer: Dialer,
  { where, idle, signal }: { where: string; idle: number; signal?: AbortSignal },
) {
  const late = AbortSignal.timeout(Math.min(idle, 10_000))
  try {
    return await dialer.connect(host, port, signal ? AbortSignal.any([signal, late]) : late)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (late.aborted) throw new Silence(where, Math.min(idle, 10_000))
    const { code = 'no code', message } = error as NodeJS.ErrnoException
    if (code === 'OUTBOUND_REFUSED') throw unprocessable(`${where}: ${message}`, { cause: error })
    throw broken(`${where} cannot be reached (${code})`, { cause: error })
  }
}

function configOf(target: SftpTarget, idle: number, seen: { hostKey?: string }): ConnectConfig {
  return {
    username: target.username,
    ...(target.password !== null && { password: target.password, tryKeyboard: true }),
    ...(target.privateKey !== null && { privateKey: target.privateKey }),
    ...(target.passphrase !== null && { passphrase: target.passphrase }),
    hostVerifier: (key: Buffer) => {
      seen.hostKey = fingerprint(key)
      return seen.hostKey === target.hostKey.replace(/=+$/, '')
    },
    readyTimeout: idle,
    keepaliveInterval: Math.max(1_000, Math.floor(idle / 4)),
    keepaliveCountMax: 3,
  }
}

/** Returns the fingerprint of a key in OpenSSH's format. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function ready(client: Client, { password }: SftpTarget, config: ConnectConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve())
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
    // Keyboard-interactive servers ask one question: the password.
    client.on('keyboard-interactive', (_name, _text, _language, questions, answer) =>
      answer(questions.map(() => password ?? '')),
    )
    client.connect(config)
  })
}

const promised = <T>(call: (done: Done<T>) => void) =>
  new Promise<T>((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer as T)))
  })

interface Seen {
  target: SftpTarget
  idle: number
  hostKey?: string
  lost?: Error
}

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
export const status = { missing: 2, denied: 3, failure: 4 } as const

/**
 * Returns a failure with a readable message. Its `cause` has the status code of a failed protocol
 * call.
 */
function asFailure(error: unknown, where: string, { target, idle, hostKey, lost }: Seen) {
  if (isFailure(error)) return error
  const { message, code, level } = error as Error & { code?: string | number; level?: string }
  const options = { cause: error }
  if (hostKey !== undefined && hostKey !== target.hostKey.replace(/=+$/, '')) {
    return unprocessable(
      `${where} shows the key ${hostKey}, which is not the one that the target names`,
      options,
    )
  }
  if (level === 'client-authentication') {
    return broken(`${where} refuses the user name, the password or the key`, options)
  }
  if (level === 'client-timeout') return new Silence(where, idle)
  if (/privateKey/.test(message)) {
    return unprocessable(
      'The private key cannot be read: it is damaged, or its passphrase is wrong',
      options,
    )
  }
  if (code === status.denied) return broken(`${where} does not allow it`, options)
  if (code === status.missing)
    return broken(`${where}: the file or directory is not there`, options)
  if (typeof code === 'number') {
    return broken(`${where} failed: it may be full, or the account may not write there`, options)
  }
  if (isFailure(lost)) return lost
  const reason = lost && 'code' in lost ? ` (${lost.code})` : ''
  return broken(`${where} broke the connection off${reason}`, options)
}
