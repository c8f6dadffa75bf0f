import type { Host } from '../../api/types.ts'
import { command } from '../../command.ts'
import { pollUntilDone } from '../../follow/poll.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '[...hosts]',
  flags: yesFlag,
  details: `
Upgrades agents to the version of the service: those of the hosts, or all that have another version. One comes first,
then a tenth of them, then all others; an agent that does not come back stops the rest. An agent waits while a
deployment, backup or restore runs on its host. Waits until all are done, names the agents that are skipped, and exits
with 1 if one was not upgraded that was to be. Agents of a package or in a container are upgraded there.`,
  examples: ['cli hosts upgrade', 'cli hosts upgrade nas --yes'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const named = args.hosts.length > 0
    const hosts = await Promise.all(args.hosts.map((name) => findHost(service, name)))
    const names = hosts.map(({ name }) => clean(name)).join(', ')
    await confirm(named ? `Upgrade the agents of ${names}?` : 'Upgrade all agents?')
    const ids = hosts.map(({ id }) => id)
    const begun = await service.post('/hosts/upgrade', { body: named ? { hosts: ids } : {} })
    const { upgrade_id: upgradeId, skipped } = begun.value
    for (const { host_name: host, reason } of skipped) {
      print.note(`${clean(host)} is skipped: ${clean(reason)}`)
    }
    if (upgradeId === null) {
      print.reply(begun, () => print.line('there is nothing to upgrade'))
      return 0
    }
    const request = async (options: { timeout: number } = { timeout: 15_000 }) => {
      const reply = await service.get('/hosts', options)
      const rows = reply.value.filter(({ agent }) => agent?.upgrade?.id === upgradeId)
      const status = rows.every(hasEnded) ? 'ended' : 'running'
      return { answer: reply.answer, value: { status, rows } }
    }
    const operation = {
      request,
      progress: { show() {}, away: (why: string) => print.note(why), end() {} },
      stoppedMessage: 'the agents are still being upgraded: cli hosts list shows how it goes',
    }
    const limits = { interval: 1000, timeout: 15_000, retryAfter: 1000, away: 60_000 }
    const ended = await pollUntilDone(await request(), operation, io, limits)
    print.reply(ended, ({ rows }) =>
      print.table(rows, [
        { head: 'HOST', text: ({ name }) => name },
        { head: 'UPGRADE', text: ({ agent }) => agent?.upgrade?.state },
        { head: 'VERSION', text: ({ agent }) => agent?.version },
        { head: 'ERROR', text: ({ agent }) => agent?.upgrade?.error },
      ]),
    )
    const isUpgraded = ended.value.rows.every(({ agent }) => agent?.upgrade?.state === 'succeeded')
    return isUpgraded && !(named && skipped.length > 0) ? 0 : 1
  },
})

/** A host that was deleted meanwhile is no longer in the list. */
const hasEnded = ({ agent }: Host) =>
  agent?.upgrade?.state !== 'waiting' && agent?.upgrade?.state !== 'running'
