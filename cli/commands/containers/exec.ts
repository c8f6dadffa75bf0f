import { type Call, command } from '../../command.ts'
import { CliFailure, failed } from '../../failure.ts'
import type { Feed } from '../../feed.ts'
import { parseMessage } from '../../follow-feed.ts'
import { path } from '../../http.ts'
import type { Io } from '../../io.ts'
import { written } from '../../written.ts'

const ownFlags = {
  '-t, --tty': 'Allocate a terminal; the default if standard input and output are terminals',
  '-T, --without-tty': 'Do not allocate a terminal',
  '-i, --interactive':
    'Forward standard input; the default unless it is a terminal and none is allocated',
  '-u, --user <user>': 'Run as this user of the container: name or id, optionally with `:group`',
  '-w, --workdir <path>': 'Run in this directory of the container',
} as const

export default command({
  args: '<container> [...command]',
  flags: ownFlags,
  verbatim: true,
  details:
    '\nRuns a command, by default a shell, in a container given by id or name. Put flags of the client\nbefore the container: everything after it belongs to the ' +
    'command. Exits with the exit code of the command.',
  examples: ['cli containers exec web', 'cli containers exec --user 1000 web ls -la /srv'],
  run: exec,
})

type Given = Call<'<container> [...command]', typeof ownFlags>

async function exec({ args, flags, io, client }: Given): Promise<number> {
  const isTerminal = Boolean(io.stdin.isTTY && io.stdout.isTTY)
  const tty = !flags.withoutTty && (flags.tty || isTerminal)
  const { columns, rows } = sizeOf(io)
  const service = await client()
  const feed = await service.feed(path`/ws/exec/${args.container}`, {
    host: flags.host,
    cmd: args.command,
    tty: String(tty),
    user: flags.user,
    workdir: flags.workdir,
    ...(tty && { cols: String(columns), rows: String(rows) }),
  })
  const resized = () => {
    const size = sizeOf(io)
    const message = JSON.stringify({ Width: size.columns, Height: size.rows })
    feed.send(framed(resize, message)).catch(reportedByFeed)
  }
  try {
    if (tty) io.stdin.setRawMode?.(true)
    if (tty) io.stdout.on('resize', resized)
    if (flags.interactive || tty || !io.stdin.isTTY) handOn(io, feed).catch(reportedByFeed)
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
    if (channel === stdout) await written(io.stdout, data)
    if (channel === stderr) await written(io.stderr, data)
    if (channel === status) end = parseMessage<Status>(data.toString('utf8'))
  }
  const { code, reason } = await feed.ended
  if (end) return exitCodeOf(end)
  if (code === 1008) throw new CliFailure(4, reason || 'the feed was closed')
  throw failed(`the connection was lost${reason && ` (${reason})`}`)
}

function exitCodeOf({ status: how, message, details }: Status): number {
  if (how === 'Success') return 0
  const cause = details?.causes?.find(({ reason }) => reason === 'ExitCode')
  if (!cause) throw failed(message ?? 'the command was terminated')
  return Number(cause.message)
}
