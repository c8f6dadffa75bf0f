import { invalid } from '../errors.ts'
import type { TerminalSize } from '../ports/engine-exec.ts'

/**
 * The first byte of each message of an exec feed, as in the `v5.channel.k8s.io` protocol of
 * Kubernetes.
 */
export const channels = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  status: 3,
  resize: 4,
  close: 255,
} as const

/** A client's message: input, the end of input, or the size of its terminal. */
export type ExecInput =
  | { kind: 'data'; data: Uint8Array }
  | { kind: 'end' }
  | { kind: 'resize'; size: TerminalSize }

/** Returns a message: the channel byte followed by the data. */
export function framed(channel: keyof typeof channels, data: Uint8Array): Uint8Array {
  const message = Buffer.allocUnsafe(data.length + 1)
  message[0] = channels[channel]
  message.set(data, 1)
  return message
}

/**
 * Parses a message of the client. Returns undefined for an empty message, and for the end of a
 * channel other than stdin.
 *
 * @throws 400 if the message is invalid
 */
export function inputOf(message: string | Uint8Array): ExecInput | undefined {
  if (typeof message === 'string') throw invalid('messages of this feed must be binary')
  const [channel] = message
  const data = message.subarray(1)
  switch (channel) {
    case undefined:
      return undefined
    case channels.stdin:
      return data.length > 0 ? { kind: 'data', data } : undefined
    case channels.resize:
      return { kind: 'resize', size: sizeOf(data) }
    case channels.close:
      return data[0] === channels.stdin ? { kind: 'end' } : undefined
    default:
      throw invalid(`channel ${channel} does not accept messages`)
  }
}

function sizeOf(data: Uint8Array): TerminalSize {
  const { Width: columns, Height: rows } = parseObject(data) ?? {}
  if (isSide(columns) && isSide(rows)) return { columns, rows }
  throw invalid('a size must be JSON such as {"Width":80,"Height":24}')
}

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535

function parseObject(data: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(Buffer.from(data).toString('utf8'))
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the status of a finished command in the format of Kubernetes.
 *
 * @param end the exit code, or why there is none
 */
export function statusOf(end: number | { reason: string; message: string }): object {
  if (end === 0) return { status: 'Success' }
  if (typeof end === 'object') return { status: 'Failure', ...end }
  return {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `the command ended with exit code ${end}`,
    details: { causes: [{ reason: 'ExitCode', message: String(end) }] },
  }
}

/** Returns the last message of an exec feed. */
export const statusMessage = (end: Parameters<typeof statusOf>[0]): Uint8Array =>
  framed('status', Buffer.from(JSON.stringify(statusOf(end))))
