import { type Call, command } from '../../command.ts'
import { path } from '../../http.ts'
import { logFlags, logQuery } from '../../log-flags.ts'
import { painter, type Style } from '../../print.ts'
import type { StackLogLine } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { clean, logLine } from '../../text.ts'

const ownFlags = { '--service <name>': 'Of this service alone', ...logFlags } as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details:
    '\nThe last lines of all its containers in the order of time, each behind the name of its service.',
  run: logs,
})

const styles: Style[] = ['cyan', 'yellow', 'green', 'red', 'bold']

async function logs({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const query = { service: flags.service, ...logQuery(flags, Date.now()) }
  const service = await client()
  await checkPlace(service, args.name, flags.host)
  const reply = await service.get<StackLogLine[]>(path`/stacks/${args.name}/logs`, { query })
  print.reply(reply, (lines) => {
    const names = namesOf(lines)
    const width = Math.max(0, ...[...names.values()].map((name) => name.length))
    const order = [...names.keys()]
    const paint = painter(io.stdout, io.env)
    for (const { container_id, line } of lines) {
      const head = `${(names.get(container_id) ?? '').padEnd(width)} | `
      const style = styles[order.indexOf(container_id) % styles.length] ?? 'bold'
      print.line(paint(style, head) + (io.stdout.isTTY ? logLine(line) : line))
    }
  })
}

/** Container id → its service's name, with a part of the id where a service has several. */
function namesOf(lines: StackLogLine[]): Map<string, string> {
  const services = new Map(lines.map(({ container_id, service }) => [container_id, service]))
  const all = [...services.values()]
  return new Map(
    [...services].map(([id, service]) => {
      const alone = all.filter((one) => one === service).length === 1
      return [id, clean(alone ? service : `${service} ${id.slice(0, 6)}`)]
    }),
  )
}
