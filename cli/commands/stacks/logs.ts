import type { Client } from '../../client.ts'
import { type Call, command } from '../../command.ts'
import { followFeed, parseMessage } from '../../follow-feed.ts'
import { path } from '../../http.ts'
import { followFlag, logFlags, logQuery } from '../../log-flags.ts'
import { type LogHeads, logHeads } from '../../log-heads.ts'
import type { ServiceStatus, StackLogLine, StackLogMessage } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { logLine } from '../../text.ts'
import { written } from '../../written.ts'

const ownFlags = {
  '--service <name>': 'Only lines of this service',
  ...followFlag,
  ...logFlags,
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details:
    '\nPrints the last lines of all its containers in chronological order, each after the name of its service.\n' +
    'With --follow it continues, also with containers that a deploy recreates, until the stack is deleted.',
  examples: ['cli stacks logs shop -f --service web --tail 20'],
  run: logs,
})

type Given = Call<'<name>', typeof ownFlags>

async function logs(given: Given) {
  const { args, flags, client, print, io } = given
  const service = await client()
  await checkPlace(service, args.name, flags.host)
  if (flags.follow) return follow(given, service)
  const query = { service: flags.service, ...logQuery(flags, Date.now()) }
  const reply = await service.get<StackLogLine[]>(path`/stacks/${args.name}/logs`, { query })
  print.reply(reply, (lines) => {
    const heads = logHeads(io)
    for (const { container_id, service: name } of lines) heads.know(container_id, name)
    for (const { container_id, service: name, line } of lines) {
      print.line(heads.of(container_id, name) + (io.stdout.isTTY ? logLine(line) : line))
    }
  })
}

/** Lines may have been in transit for this long when the connection was lost. Milliseconds. */
const overlap = 5000

/**
 * Follows the log of a stack. Lines of one container arrive in order, those of several containers
 * nearly so. After a reconnect some lines arrive again and are skipped.
 */
async function follow({ args, flags, print, io }: Given, service: Client): Promise<void> {
  const heads = await knownHeads(service, args.name, io)
  const seen = new Map<string, string>()
  let newest = ''
  const begin = { service: flags.service, ...logQuery(flags, Date.now()) }
  const query = () => {
    if (newest === '') return begin
    const since = new Date(Date.parse(newest) - overlap).toISOString()
    return { service: flags.service, tail: '10000', since }
  }
  for await (const text of followFeed(service, path`/ws/stacks/${args.name}/logs`, query, print)) {
    const message = parseMessage<StackLogMessage>(text)
    if ('data' in message) {
      const { container_id: id, time } = message
      if (time <= (seen.get(id) ?? '')) continue
      seen.set(id, time)
      if (time > newest) newest = time
    }
    await written(io.stdout, print.format === 'json' ? `${text}\n` : linesOf(message, heads, io))
  }
}

async function knownHeads(service: Client, name: string, io: Given['io']): Promise<LogHeads> {
  const heads = logHeads(io)
  const { value } = await service.get<ServiceStatus[]>(path`/stacks/${name}/status`)
  for (const { container_id, service: one } of value)
    if (container_id) heads.know(container_id, one)
  return heads
}

function linesOf(message: StackLogMessage, heads: LogHeads, io: Given['io']): string {
  if (!('data' in message)) return ''
  const head = heads.of(message.container_id, message.service)
  const lines = message.data.replace(/\n$/, '').split('\n')
  return lines.map((line) => `${head}${io.stdout.isTTY ? logLine(line) : line}\n`).join('')
}
