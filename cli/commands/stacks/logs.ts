import type { Client } from '../../api/client.ts'
import type { StackLogMessage } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { followFlag, logFlags, logQuery, stampOf } from '../../flags/log-flags.ts'
import { beginOfFeed, followFeed } from '../../follow/reconnecting-feed.ts'
import { type LogPrefixes, logPrefixes } from '../../output/log-prefixes.ts'
import { clean, logLine } from '../../output/text.ts'
import { writeWithBackpressure } from '../../output/write-with-backpressure.ts'
import { checkHost } from '../../resolve/host.ts'

const ownFlags = {
  '--service <...name>': 'Only lines of this service; repeatable',
  ...followFlag,
  ...logFlags,
} as const

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: ownFlags,
  fields: { service: '[...services]' },
  details:
    '\nPrints the last lines of all containers of the stack, or of some services, in chronological order, each after the\nname of its service. -n counts for each container.\n' +
    'With --follow it continues, also with containers that a deploy recreates, until the stack is deleted.',
  examples: [
    'cli stacks logs shop -f',
    'cli stacks logs shop web worker -n 50 --timestamps --since 10m',
  ],
  run: logs,
})

type Given = Call<'<name> [...services]', typeof ownFlags>

async function logs(given: Given) {
  const { args, flags, client, print, io } = given
  const services = [...new Set([...args.services, ...flags.service])]
  const begin = {
    service: services.length > 0 ? services : undefined,
    ...logQuery(flags, Date.now()),
  }
  const service = await client()
  await checkHost(service, args.name, flags.host)
  if (flags.follow) return follow(given, service, begin)
  const reply = await service.get('/stacks/{name}/logs', {
    path: { name: args.name },
    query: begin,
  })
  print.reply(reply, (lines) => {
    const prefixes = logPrefixes(io)
    for (const { container_id, service: name } of lines) prefixes.register(container_id, name)
    for (const { container_id, service: name, line, time } of lines) {
      const head = prefixes.of(container_id, name) + stampOf(time, flags)
      print.line(head + (io.stdout.isTTY ? logLine(line) : line))
    }
  })
  const missing = reply.answer.headers['x-unreadable-logs']
  if (missing) print.note(clean(unreadableNote(String(missing).split(', '))))
}

/** Returns the line about the services whose lines are missing. */
function unreadableNote(services: readonly string[]): string {
  const [one, ...others] = services
  return others.length === 0
    ? `cli: the log of ${one} cannot be read: its log driver does not support it`
    : `cli: the logs of ${services.join(', ')} cannot be read: their log drivers do not support it`
}

/** Lines may have been in transit for this long when the connection was lost. Milliseconds. */
const overlap = 5000

/**
 * Follows the log of a stack. Lines of one container arrive in order, those of several containers
 * nearly so. After a reconnect some lines arrive again and are skipped.
 */
async function follow(
  { args, flags, print, io }: Given,
  service: Client,
  begin: { service?: string[]; tail?: string; since?: string },
): Promise<void> {
  const prefixes = await knownPrefixes(service, args.name, io)
  const seen = new Map<string, string>()
  const told = new Set<string>()
  let newest = ''
  const path = { name: args.name }
  const { from, connected } = beginOfFeed()
  const request = () => {
    const since = newest === '' ? from() : new Date(Date.parse(newest) - overlap).toISOString()
    return { path, query: since === undefined ? begin : { ...begin, tail: 'all', since } }
  }
  const feed = followFeed(service, '/ws/stacks/{name}/logs', request, { print, connected })
  for await (const { text, message } of feed) {
    if ('data' in message) {
      const { container_id: id, time } = message
      if (time <= (seen.get(id) ?? '')) continue
      seen.set(id, time)
      if (time > newest) newest = time
    }
    if ('error' in message) {
      // Sent again after each reconnect, and in a table one line for all containers is enough.
      const about = print.format === 'json' ? message.container_id : message.service
      if (told.has(about)) continue
      told.add(about)
      if (print.format !== 'json') print.note(clean(`cli: ${message.service}: ${message.error}`))
    }
    if (print.format === 'json') await print.message(text)
    else await writeWithBackpressure(io.stdout, linesOf(message, prefixes, { io, flags }))
  }
}

async function knownPrefixes(service: Client, name: string, io: Given['io']): Promise<LogPrefixes> {
  const prefixes = logPrefixes(io)
  const { value } = await service.get('/stacks/{name}/status', { path: { name } })
  for (const { container_id, service: one } of value)
    if (container_id) prefixes.register(container_id, one)
  return prefixes
}

function linesOf(
  message: StackLogMessage,
  prefixes: LogPrefixes,
  { io, flags }: Pick<Given, 'io' | 'flags'>,
): string {
  if (!('data' in message)) return ''
  const head = prefixes.of(message.container_id, message.service) + stampOf(message.time, flags)
  const lines = message.data.replace(/\n$/, '').split('\n')
  return lines.map((line) => `${head}${io.stdout.isTTY ? logLine(line) : line}\n`).join('')
}
