import type { Host } from '../../api/types.ts'
import { command } from '../../command.ts'
import { statusStyle } from '../../output/status-style.ts'

export default command({
  list: true,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/hosts'), (hosts) =>
      print.table(hosts, [
        { head: 'ID', text: (host) => host.id },
        { head: 'NAME', text: (host) => host.name },
        { head: 'KIND', text: (host) => host.kind },
        { head: 'STATUS', text: (host) => host.status, style: statusStyle },
        { head: 'TAGS', text: (host) => host.tags.join(', ') },
        { head: 'ENGINE', text: (host) => host.engine?.version },
        { head: 'AGENT', text: agentOf },
        { head: 'CONTAINERS', text: runningOf },
        { head: 'ERROR', text: (host) => host.error ?? host.warning ?? undefined },
      ]),
    )
  },
})

function agentOf({ agent }: Host): string | null | undefined {
  if (agent?.upgrade?.state === 'waiting' || agent?.upgrade?.state === 'running') {
    return `${agent.version}, being upgraded`
  }
  return agent?.is_outdated ? `${agent.version}, outdated` : agent?.version
}

function runningOf({ containers }: Host): string | undefined {
  return containers ? `${containers.running} of ${containers.total} running` : undefined
}
