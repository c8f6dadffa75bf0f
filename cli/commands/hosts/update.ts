import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { Host, HostChange } from '../../records.ts'
import { clean } from '../../text.ts'

const ownFlags = {
  '--name <name>': 'What it is called',
  '--tag <...tag>': 'Takes the place of its tags; may be given again',
  '--untagged': 'Takes all tags away',
} as const

export default command({
  args: '<id>',
  flags: ownFlags,
  details: '\nAccounts with scope tags reach the hosts that carry one of them.',
  examples: ['cli hosts update local --tag production'],
  run: update,
})

async function update({ args, flags, client, print }: Call<'<id>', typeof ownFlags>) {
  if (flags.untagged && flags.tag.length > 0) throw wrongUsage('--tag and --untagged: take one')
  const tags = flags.untagged || flags.tag.length > 0 ? flags.tag : undefined
  const body: HostChange = { name: flags.name, tags }
  const service = await client()
  print.reply(await service.put<Host>(path`/hosts/${args.id}`, { body }), (host) =>
    print.line(`${clean(host.name)} is changed`),
  )
}
