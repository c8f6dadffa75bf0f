import type { Client } from '../../api/client.ts'
import { type Call, command } from '../../command.ts'
import { followFlag, logFlags, logQuery, stampOf } from '../../flags/log-flags.ts'
import { beginOfFeed, followFeed } from '../../follow/reconnecting-feed.ts'
import { logLine } from '../../output/text.ts'
import { writeWithBackpressure } from '../../output/write-with-backpressure.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

const ownFlags = { ...followFlag, ...logFlags } as const

export default command({
  args: '<container>',
  flags: ownFlags,
  details:
    '\nPrints the log of a container, given by id or name. Its standard error goes to standard error.\n' +
    'With --follow it continues until the container stops.',
  fields: { id: '<container>' },
  run: logs,
})

type CommandCall = Call<'<container>', typeof ownFlags>

async function logs(given: CommandCall) {
  const { args, flags, client, print } = given
  const named = oneHost(flags.host)
  const lines = logQuery(flags, Date.now())
  const service = await client()
  const query = { host: await hostFor(service, named), ...lines }
  if (flags.follow) return follow(given, service, query)
  const reply = await service.get('/containers/{id}/logs', { path: { id: args.container }, query })
  print.reply(reply, (lines) => {
    for (const line of lines) writeLine(line, given)
  })
}

function writeLine(
  { stream, line, time }: { stream: string; line: string; time: string },
  { io, flags }: Pick<CommandCall, 'io' | 'flags'>,
): void {
  const out = stream === 'stderr' ? io.stderr : io.stdout
  out.write(`${stampOf(time, flags)}${out.isTTY ? logLine(line) : line}\n`)
}

async function follow(
  given: CommandCall,
  service: Client,
  begin: { host?: string; tail?: string; since?: string },
): Promise<void> {
  const { args, flags, print, io } = given
  const withTimes = flags.timestamps && print.format !== 'json'
  let last = withTimes ? await writePast(given, service, begin) : ''
  const { from, connected } = beginOfFeed()
  const request = () => {
    const since = last || from()
    const query = since === undefined ? begin : { ...begin, tail: 'all', since }
    return { path: { id: args.container }, query }
  }
  const feed = followFeed(service, '/ws/logs/{id}', request, { print, connected })
  for await (const { text, message } of feed) {
    if ('data' in message) {
      if (message.time <= last) continue
      last = message.time
    }
    if (print.format === 'json') await print.message(text)
    else if ('data' in message) {
      const out = message.stream === 'stderr' ? io.stderr : io.stdout
      const stamp = stampOf(message.time, flags)
      const isPlain = stamp === '' && !out.isTTY
      await writeWithBackpressure(out, isPlain ? message.data : shown(message.data, stamp, out))
    }
  }
}

/**
 * Writes the past lines, each with its time, and returns the time of the last one. It reads them
 * over HTTP, because in a feed all lines of a message have one time.
 */
async function writePast(
  given: CommandCall,
  service: Client,
  query: { host?: string; tail?: string; since?: string },
): Promise<string> {
  const path = { id: given.args.container }
  const { value } = await service.get('/containers/{id}/logs', { path, query })
  for (const line of value) writeLine(line, given)
  return value.at(-1)?.time ?? ''
}

/** Returns the lines, each with the stamp in front and escaped for a terminal. */
const shown = (data: string, stamp: string, { isTTY }: { isTTY?: boolean }) =>
  data
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${stamp}${isTTY ? logLine(line) : line}\n`)
    .join('')
