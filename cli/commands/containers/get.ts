import type { ContainerDetails } from '../../api/types.ts'
import { command } from '../../command.ts'
import { portsText } from '../../output/ports-text.ts'
import type { Printer } from '../../output/print.ts'
import type { Column } from '../../output/table.ts'
import { moment } from '../../output/units.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<container>',
  details: `
Shows the settings of a container, given by id or name. The values of its environment need the permission
containers:secrets; without it only their names are shown. \`--output json\` has the labels too.`,
  examples: [
    'cli containers get shop-web-1',
    "cli containers get shop-web-1 --jq '.networks[].ip_address'",
  ],
  fields: { id: '<container>' },
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const service = await client()
    const query = { host: await hostFor(service, named) }
    const reply = await service.get('/containers/{id}', { path: { id: args.container }, query })
    print.reply(reply, (one) => show(one, print))
  },
})

function show(one: ContainerDetails, print: Printer): void {
  print.facts({
    id: one.id,
    name: one.name,
    image: one.image,
    'image id': one.image_id,
    host: one.host_name,
    stack: one.stack,
    service: one.service,
    status: one.status,
    health: one.health,
    'failed health check': one.health_output ?? undefined,
    created: moment(one.created_at),
    started: moment(one.started_at),
    finished: moment(one.finished_at) ?? undefined,
    'exit code': one.exit_code ?? undefined,
    'restart policy': one.restart_policy,
    entrypoint: one.entrypoint.join(' ') || null,
    command: one.command.join(' ') || null,
    ports: portsText(one.ports) || null,
  })
  part(print, one.env, [{ head: 'ENVIRONMENT', text: (line) => line }])
  part(print, one.mounts, [
    { head: 'MOUNT', text: ({ destination }) => destination },
    { head: 'TYPE', text: ({ type }) => type },
    { head: 'SOURCE', text: ({ source }) => source },
    { head: 'ACCESS', text: ({ read_only }) => (read_only ? 'read only' : 'read and write') },
  ])
  part(print, one.networks, [
    { head: 'NETWORK', text: ({ name }) => name },
    { head: 'ADDRESS', text: ({ ip_address }) => ip_address },
    { head: 'NAMES', text: ({ aliases }) => aliases.join(', ') },
  ])
}

/** Prints a table below an empty line, unless it has no rows. */
function part<Row>(print: Printer, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  if (rows.length === 0) return
  print.line('')
  print.table(rows, columns)
}
