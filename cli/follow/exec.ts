import type { Client } from '../api/client.ts'
import type { Feed } from '../api/feed.ts'
import { failed, withHint } from '../failure.ts'
import type { Io } from '../io.ts'
import { writeWithBackpressure } from '../output/write-with-backpressure.ts'
import { hintOf } from '../reason-hints.ts'
import { parseMessage, withdrawn } from './reconnecting-feed.ts'

/** Flags of commands that run a command in a container. */
export const execFlags = {
  '-t, --tty': 'Allocate a terminal; the default if standard input and output are terminals',
  '-T, --without-tty': 'Do not allocate a terminal',
  '-i, --interactive':
    'Forward standard input; the default unless it is a terminal and none is allocated',
  '-u, --user <user>': 'Run as this user of the container: name or id, optionally with `:group`',
  '-w, --workdir <path>': 'Run in this directory of the container',
} as const

interface ExecFlags {
  tty: boolean
  withoutTty: boolean
  interactive: boolean
  user: string | undefined
  workdir: string | undefined
}

/** Where to run a command. */
export interface ExecTarget {
  /** Id or name of the container. */
  id: string
  host: string | undefined
  command: string[]
}

/** Runs a command in a container and returns its exit code. */
export async function execIn(
  service: Client,
  { id, host, command }: ExecTarget,
  flags: ExecFlags,
  io: Io,
): Promise<number> {
  const isTerminal = Boolean(io.stdin.isTTY && io.stdout.isTTY)
  const tty = !flags.withoutTty && (flags.tty || isTerminal)
  const { columns, rows } = sizeOf(io)
  const feed = await service.feed('/ws/exec/{id}', {
    path: { id },
    query: {
      host,
      cmd: command,
      tty,
      user: flags.user,
      workdir: flags.workdir,
      ...(tty && { cols: String(columns), rows: String(rows) }),
    },
  })
  return attachTo(feed, { tty, interactive: flags.interactive }, io)
}

/**
 * Connects the client's streams with a feed whose messages are framed as those of exec. Returns
 * the exit code of the command.
 */
export async function attachTo(
  feed: Feed,
  { tty, interactive }: { tty: boolean; interactive: boolean },
  io: Io,
): Promise<number> {
  const resized = () => {
    const size = sizeOf(io)
    const message = JSON.stringify({ Width: size.columns, Height: size.rows })
    feed.send(framed(resize, message)).catch(reportedByFeed)
  }
  try {
    if (tty) io.stdin.setRawMode?.(true)
    if (tty) io.stdout.on('resize', resized)
    if (interactive || tty || !io.stdin.isTTY) handOn(io, feed).catch(reportedByFeed)
    else feed.send(endOfInput).catch(reportedByFeed)
    return await shown(io, feed)
  } finally {
    if (tty) io.stdin.setRawMode?.(false)
    io.stdout.off('resize', resized)
    // Lets the process exit: keyboard input is no longer read.
    io.stdin.destroy()
    feed.close()
  }
}

/** A message that cannot be sent means that the feed has ended, which `shown` reports. */
const reportedByFeed = () => {}

const [stdin, stdout, stderr, status, resize] = [0, 1, 2, 3, 4]
const endOfInput = Buffer.from([255, stdin])
/** Bytes of input per message. The service accepts 64 KiB. */
const pieceMax = 32 * 1024

const framed = (channel: number, data: string | Uint8Array) =>
  Buffer.concat([Buffer.from([channel]), Buffer.from(data)])

const sizeOf = ({ stdout: { columns, rows } }: Io) => ({
  columns: Math.min(columns || 80, 9999),
  rows: Math.min(rows || 24, 9999),
})

async function handOn(io: Io, feed: Feed): Promise<void> {
  for await (const chunk of io.stdin) {
    const data = Buffer.from(chunk)
    for (let at = 0; at < data.length; at += pieceMax) {
      await feed.send(framed(stdin, data.subarray(at, at + pieceMax)))
    }
  }
  await feed.send(endOfInput)
}

interface Status {
  status: string
  message?: string
  details?: { causes?: { reason: string; message: string }[] }
}

/** Writes the command's output and returns its exit code. */
async function shown(io: Io, feed: Feed): Promise<number> {
  let end: Status | undefined
  for await (const message of feed.messages) {
    const [channel] = message as Buffer
    const data = (message as Buffer).subarray(1)
    if (channel === stdout) await writeWithBackpressure(io.stdout, data)
    if (channel === stderr) await writeWithBackpressure(io.stderr, data)
    // Kubernetes defines this message, see the description of the feed.
    if (channel === status) end = parseMessage(data.toString('utf8')) as Status
  }
  const why = await feed.ended
  if (end) return exitCodeOf(end)
  if (why.code === 1008) throw withdrawn(why)
  throw withHint(
    failed(`the connection was lost${why.message && ` (${why.message})`}`),
    hintOf(why.reason),
  )
}

function exitCodeOf({ status: how, message, details }: Status): number {
  if (how === 'Success') return 0
  const cause = details?.causes?.find(({ reason }) => reason === 'ExitCode')
  if (!cause) throw failed(message ?? 'the command was terminated')
  return Number(cause.message)
}
