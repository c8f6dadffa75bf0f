import type { ServiceStatus, StackDetails } from '../../api/types.ts'
import { command } from '../../command.ts'
import { portsText } from '../../output/ports-text.ts'
import type { Printer } from '../../output/print.ts'
import { stackStatusText } from '../../output/stack-status.ts'
import { statusStyle } from '../../output/status-style.ts'
import type { Column } from '../../output/table.ts'
import { clean } from '../../output/text.ts'
import { moment, shortId, uptime } from '../../output/units.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  list: true,
  details: `
Shows the containers of each service. STATE is that of the container, SERVICE STATE that of the service over all of its
containers. LINKS are the addresses at which you reach it. Columns that do not fit into the terminal are shown below
each row. The lines above the table, on standard error, are about the stack, its last update, and until when that can be
undone.`,
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const path = { name: args.name }
    const [reply, stack] = await Promise.all([
      service.get('/stacks/{name}/status', { path }),
      print.format === 'json' ? undefined : service.get('/stacks/{name}', { path }),
    ])
    print.reply(reply, (services) => {
      if (stack) showStack(stack.value, print)
      const columns = statusColumns(Date.parse(reply.answer.headers.date ?? '') || Date.now())
      print.table(services, columns)
    })
  },
})

/** @param now the time of the service, whose clock is nearer to that of the host than ours is */
const statusColumns = (now: number): Column<ServiceStatus>[] => [
  { head: 'SERVICE', text: (one) => one.service },
  { head: 'NAME', text: (one) => one.name },
  { head: 'CONTAINER', text: (one) => shortId(one.container_id), fold: 9 },
  { head: 'STATE', text: stateOf, style: statusStyle },
  { head: 'HEALTH', text: (one) => one.health, style: statusStyle, fold: 1 },
  { head: 'IMAGE', text: (one) => one.image, fold: 8 },
  { head: 'PORTS', text: (one) => portsText(one.ports), fold: 5 },
  { head: 'UPTIME', text: (one) => uptimeOf(one, now), fold: 2 },
  {
    head: 'RESTARTS',
    text: (one) => (one.container_id === null ? undefined : one.restarts),
    fold: 3,
  },
  { head: 'SERVICE STATE', text: (one) => one.service_state, style: statusStyle, fold: 4 },
  { head: 'LINKS', text: (one) => one.links.join(' '), fold: 7 },
  { head: 'DETAIL', text: (one) => one.detail, fold: 6 },
]

const runs = ['running', 'paused']

function uptimeOf({ state, started_at }: ServiceStatus, now: number): string | undefined {
  if (started_at === null || !runs.includes(state)) return undefined
  return uptime(now - Date.parse(started_at))
}

function showStack(stack: StackDetails, print: Printer): void {
  const { services, environment, last_deployment: last } = stack
  const { total, running, unhealthy } = services
  const sick = unhealthy > 0 ? `, ${unhealthy} unhealthy` : ''
  const counts = `${running + unhealthy} of ${total} services up${sick}`
  const overlay = environment === null ? '' : `, environment ${clean(environment)}`
  print.note(`${clean(stack.name)} is ${stackStatusText(stack)}: ${counts}${overlay}`)
  if (last?.error) {
    print.note(`last ${last.kind}: ${clean(last.error)}`)
    print.note(`  more: cli stacks deployments ${clean(stack.name)} ${last.id}`)
  }
  showLastUpdate(stack, print)
  for (const warning of stack.warnings) print.note(`warning: ${clean(warning)}`)
}

const undoTexts = {
  due: 'it is being taken back',
  done: 'it was taken back',
  failed: 'it could not be taken back',
  replaced: 'someone changed the services since',
} as const

const rollbackTexts = {
  due: 'it is being rolled back',
  done: 'it was rolled back',
  failed: 'it could not be rolled back',
  replaced: 'someone changed the services since',
} as const

function showLastUpdate({ name, last_update: last }: StackDetails, print: Printer): void {
  if (!last) return
  const { reason, rollback, undo, undone_by: undoneBy, at } = last
  const outcome = undoneBy === null ? last.outcome : 'undone'
  const texts = undoneBy === null ? rollbackTexts : undoTexts
  const details = [reason, rollback && texts[rollback.state], rollback?.error]
  const why = details.flatMap((text) => (text ? [clean(text)] : [])).join('; ')
  print.note(`last update: ${outcome}, ${moment(at)}${why === '' ? '' : `: ${why}`}`)
  if (!undo) return
  print.note(`  can be undone until ${moment(undo.until)}: cli stacks undo ${clean(name)}`)
}

/** Returns the state of a container, or undefined if there is none and none is expected. */
function stateOf(one: ServiceStatus): string | undefined {
  const { container_id, service_state, state, exit_code } = one
  if (container_id === null && /^(inactive|stopped)$/.test(service_state)) return undefined
  return state === 'exited' && exit_code !== null ? `exited (${exit_code})` : state
}
