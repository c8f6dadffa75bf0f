import type { Client } from '../../api/client.ts'
import { command } from '../../command.ts'
import { ApiFailure } from '../../failure.ts'
import type { Printer } from '../../output/print.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  list: true,
  details: `
Shows the processes of all running services, or of the named ones. COMMAND needs the permission containers:secrets,
because command lines can contain passwords; without it the column shows only the program. With --output json, one
response is printed for each service.`,
  examples: ['cli stacks top shop web'],
  fields: { service: '[...services]' },
  async run({ args: { name, services }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const isNamed = services.length > 0
    const asked = isNamed ? [...new Set(services)] : await servicesOf(service, name)
    const found = await Promise.all(
      asked.map((one) =>
        service
          .get('/stacks/{name}/services/{service}/top', { path: { name, service: one } })
          .catch((error) => {
            // Its last container was removed since it was listed.
            if (!isNamed && error instanceof ApiFailure && error.status === 404) return undefined
            throw error
          }),
      ),
    )
    const replies = found.filter((reply) => reply !== undefined)
    if (print.format === 'json') {
      for (const reply of replies) print.reply(reply, () => {})
      return
    }
    show(
      replies.flatMap(({ value }) => value),
      print,
    )
  },
})

async function servicesOf(service: Client, name: string): Promise<string[]> {
  const { value } = await service.get('/stacks/{name}/status', { path: { name } })
  return [...new Set(value.map((row) => row.service))]
}

interface Row {
  container: string
  pid: number
  user: string | null
  cpu_time: string | null
  program: string
  command: string | null
}

function show(rows: readonly Row[], print: Printer): void {
  print.table(rows, [
    { head: 'CONTAINER', text: (row) => row.container },
    { head: 'PID', text: (row) => row.pid },
    { head: 'USER', text: (row) => row.user },
    { head: 'TIME', text: (row) => row.cpu_time },
    { head: 'COMMAND', text: (row) => row.command ?? row.program },
  ])
}
