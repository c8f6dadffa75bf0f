import type { Client } from '../../client.ts'
import { type Call, command } from '../../command.ts'
import { followFeed, parseMessage } from '../../follow-feed.ts'
import { path } from '../../http.ts'
import { followFlag, logFlags, logQuery } from '../../log-flags.ts'
import type { LogLine, LogMessage } from '../../records.ts'
import { logLine } from '../../text.ts'
import { written } from '../../written.ts'

const ownFlags = { ...followFlag, ...logFlags } as const

export default command({
  args: '<container>',
  flags: ownFlags,
  details:
    '\nPrints the log of a container, given by id or name. Its standard error goes to standard error.\n' +
    'With --follow it continues until the container stops.',
  run: logs,
})

type Given = Call<'<container>', typeof ownFlags>

async function logs(given: Given) {
  const { args, flags, client, print, io } = given
  const query = { host: flags.host, ...logQuery(flags, Date.now()) }
  const service = await client()
  if (flags.follow) return follow(given, service, query)
  const reply = await service.get<LogLine[]>(path`/containers/${args.container}/logs`, { query })
  print.reply(reply, (lines) => {
    for (const { stream, line } of lines) {
      const out = stream === 'stderr' ? io.stderr : io.stdout
      out.write(`${out.isTTY ? logLine(line) : line}\n`)
    }
  })
}

async function follow(
  { args, flags, print, io }: Given,
  service: Client,
  begin: Record<string, string | undefined>,
): Promise<void> {
  let last = ''
  const query = () => (last === '' ? begin : { host: flags.host, tail: 'all', since: last })
  for await (const text of followFeed(service, path`/ws/logs/${args.container}`, query, print)) {
    const message = parseMessage<LogMessage>(text)
    if ('data' in message) {
      if (message.time <= last) continue
      last = message.time
    }
    if (print.format === 'json') await written(io.stdout, `${text}\n`)
    else if ('data' in message) {
      const out = message.stream === 'stderr' ? io.stderr : io.stdout
      await written(out, out.isTTY ? shown(message.data) : message.data)
    }
  }
}

/** Returns lines for a terminal, each escaped separately. */
const shown = (data: string) =>
  data
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${logLine(line)}\n`)
    .join('')
