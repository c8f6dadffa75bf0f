import { command } from '../../command.ts'
import type { Host } from '../../records.ts'
import { statusStyle } from '../../status-style.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<Host[]>('/hosts'), (hosts) =>
      print.table(hosts, [
        { head: 'ID', text: (host) => host.id },
        { head: 'NAME', text: (host) => host.name },
        { head: 'KIND', text: (host) => host.kind },
        { head: 'STATUS', text: (host) => host.status, style: statusStyle },
        { head: 'TAGS', text: (host) => host.tags.join(', ') },
        { head: 'ENGINE', text: (host) => host.engine?.version },
        { head: 'CONTAINERS', text: runningOf },
        { head: 'ERROR', text: (host) => host.error ?? undefined },
      ]),
    )
  },
})

function runningOf({ containers }: Host): string | undefined {
  return containers ? `${containers.running} of ${containers.total} running` : undefined
}
