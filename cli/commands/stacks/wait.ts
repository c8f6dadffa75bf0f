import type { ServiceStatus } from '../../api/types.ts'
import { command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { shortList } from '../../folder/short-list.ts'
import { pollUntilDone } from '../../follow/poll.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> <service> [...services]',
  details: `
Waits until the containers of the services have ended, and prints their exit codes. Exits with the first exit code that
is not 0, or with 0. A container that is started again before the client sees its end is waited for again.`,
  examples: ['cli stacks wait shop migrate'],
  async run({ args: { name, service, services }, flags, client, print, io }) {
    const wanted = [...new Set([service, ...services])]
    const api = await client()
    await checkHost(api, name, flags.host)
    const seen = new Map<string, ServiceStatus>()
    const request = async (options: { timeout: number } = { timeout: 15_000 }) => {
      const reply = await api.get('/stacks/{name}/status', { path: { name }, ...options })
      const rows = wanted.flatMap((one) => rowsOf(one, name, reply.value, seen))
      const status = rows.every(hasEnded) ? 'ended' : 'running'
      return { answer: reply.answer, value: { status, rows } }
    }
    const away = (why: string) => print.note(why)
    const operation = {
      request,
      progress: { show() {}, away, end() {} },
      stoppedMessage: 'the services are still running',
    }
    const limits = { interval: 500, timeout: 15_000, retryAfter: 1000, away: 60_000 }
    const ended = await pollUntilDone(await request(), operation, io, limits)
    print.reply(ended, ({ rows }) => {
      print.table(rows, [
        { head: 'CONTAINER', text: (row) => row.name },
        { head: 'EXIT CODE', text: (row) => row.exit_code },
      ])
    })
    return ended.value.rows.find(({ exit_code: code }) => code !== 0)?.exit_code ?? 0
  },
})

const hasEnded = ({ state, exit_code }: ServiceStatus) =>
  (state === 'exited' || state === 'dead') && exit_code !== null

/** Returns the rows of a service. Throws a `CliFailure` if it has no container to wait for. */
function rowsOf(
  service: string,
  stack: string,
  all: readonly ServiceStatus[],
  seen: Map<string, ServiceStatus>,
): ServiceStatus[] {
  const rows = all.filter((row) => row.service === service)
  if (rows.length === 0) {
    const names = shortList([...new Set(all.map((row) => row.service))].sort())
    throw failed(`stack ${clean(stack)}: it has no service ${clean(service)}, it has ${names}`)
  }
  const [row] = rows
  if (row?.container_id) seen.set(service, row)
  else {
    const what = seen.has(service) ? 'its container was removed' : 'it has no container'
    throw failed(`service ${clean(service)}: ${what}`)
  }
  return rows
}
