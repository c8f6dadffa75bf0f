import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import { internalError, unusable } from '../../functions/core/errors.ts'
import type { SftpTarget } from '../../functions/core/records/backup-target.ts'
import { fingerprint } from '../net/host-key.ts'
import type { Dialer } from '../net/outbound.ts'
import { IdleTimeoutError, isFailure, withIdleTimeout } from './target-calls.ts'

/** A connection for file operations. */
export interface SftpSession {
  sftp: SFTPWrapper
  /** The name of the server for error messages. */
  where: string
  /**
   * Returns the result of a protocol call. Rejects with a 500 if it fails or exceeds the idle
   * timeout.
   */
  ask<T>(call: (done: SftpCallback<T>) => void, signal?: AbortSignal): Promise<T>
  end(): void
}

export type SftpCallback<T> = (error: Error | undefined | null, answer?: T) => void

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
    await withIdleTimeout(ready(client, target, config), { where, idle, signal })
    client.on('error', (error) => {
      seen.lost = error
    })
    client.on('close', () => {
      seen.lost ??= new Error('closed')
    })
    const sftp = await withIdleTimeout(
      promised<SFTPWrapper>((done) => client.sftp(done)),
      { where, idle, signal },
    )
    return {
      sftp,
      where,
      async ask(call, stop) {
        if (seen.lost) throw failed(seen.lost)
        try {
          return await withIdleTimeout(promised(call), { where, idle, signal: stop })
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
    if (late.aborted) throw new IdleTimeoutError(where, Math.min(idle, 10_000))
    const { code = 'no error code', message } = error as NodeJS.ErrnoException
    if (code === 'OUTBOUND_REFUSED') throw unusable(`${where}: ${message}`, { cause: error })
    throw internalError(`${where} is unreachable (${code})`, { reason: 'timeout', cause: error })
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

const promised = <T>(call: (done: SftpCallback<T>) => void) =>
  new Promise<T>((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer as T)))
  })

interface SessionState {
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
function asFailure(error: unknown, where: string, { target, idle, hostKey, lost }: SessionState) {
  if (isFailure(error)) return error
  const { message, code, level } = error as Error & { code?: string | number; level?: string }
  const options = { cause: error }
  if (hostKey !== undefined && hostKey !== target.hostKey.replace(/=+$/, '')) {
    return unusable(
      `${where} presented the host key ${hostKey}, but the target expects another one`,
      options,
    )
  }
  if (level === 'client-authentication') {
    return internalError(`${where} rejected the user name, the password or the key`, {
      ...options,
      reason: 'conflict',
    })
  }
  if (level === 'client-timeout') return new IdleTimeoutError(where, idle)
  if (/privateKey/.test(message)) {
    return unusable(
      'The private key cannot be read: it is damaged, or its passphrase is wrong',
      options,
    )
  }
  if (code === status.denied)
    return internalError(`${where} denied permission`, { ...options, reason: 'conflict' })
  if (code === status.missing)
    return internalError(`${where}: the file or directory does not exist`, {
      ...options,
      reason: 'conflict',
    })
  if (typeof code === 'number') {
    return internalError(`${where} failed: it may be full, or the account may not write there`, {
      ...options,
      reason: 'conflict',
    })
  }
  if (isFailure(lost)) return lost
  const reason = lost && 'code' in lost ? ` (${lost.code})` : ''
  return internalError(`${where} closed the connection${reason}`, { ...options, reason: 'timeout' })
}
