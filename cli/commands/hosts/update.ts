import type { HostChange } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { findHost } from '../../resolve/find.ts'

const ownFlags = {
  '--name <name>': 'The new name',
  '--tag <...tag>': 'Replaces its tags; repeatable',
  '--untagged': 'Removes all tags',
  '--address <address>': 'Name or IP address in the links of its services; `none` for the default',
} as const

export default command({
  args: '<host>',
  flags: ownFlags,
  details: `
Updates a host, given by name or id. Accounts with scope tags have access to the hosts that have one of these tags.
The address is where users reach published ports of its containers.`,
  examples: [
    'cli hosts update nas --tag production',
    'cli hosts update local --address 192.168.1.20',
  ],
  run: update,
})

async function update({ args, flags, client, print }: Call<'<host>', typeof ownFlags>) {
  if (flags.untagged && flags.tag.length > 0) throw wrongUsage('--tag and --untagged: use only one')
  const tags = flags.untagged || flags.tag.length > 0 ? flags.tag : undefined
  const address = flags.address === 'none' ? null : flags.address
  const body: HostChange = { name: flags.name, tags, address }
  const service = await client()
  const { id } = await findHost(service, args.host)
  print.reply(await service.put('/hosts/{id}', { path: { id }, body }), (host) =>
    print.line(`${clean(host.name)} is updated`),
  )
}
