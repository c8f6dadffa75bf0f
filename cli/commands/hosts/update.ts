import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { Host, HostChange } from '../../records.ts'
import { clean } from '../../text.ts'

const ownFlags = {
  '--name <name>': 'The new name',
  '--tag <...tag>': 'Replaces its tags; repeatable',
  '--untagged': 'Removes all tags',
} as const

export default command({
  args: '<id>',
  flags: ownFlags,
  details: '\nAccounts with scope tags have access to the hosts that have one of these tags.',
  examples: ['cli hosts update local --tag production'],
  run: update,
})

async function update({ args, flags, client, print }: Call<'<id>', typeof ownFlags>) {
  if (flags.untagged && flags.tag.length > 0) throw wrongUsage('--tag and --untagged: use only one')
  const tags = flags.untagged || flags.tag.length > 0 ? flags.tag : undefined
  const body: HostChange = { name: flags.name, tags }
  const service = await client()
  print.reply(await service.put<Host>(path`/hosts/${args.id}`, { body }), (host) =>
    print.line(`${clean(host.name)} is updated`),
  )
}
