import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { openSecrets } from '../../prompt.ts'
import type { NewRegistry, Registry } from '../../records.ts'
import { clean } from '../../text.ts'

const ownFlags = { '--username <name>': 'The user name at the registry' } as const

export default command({
  args: '<address>',
  flags: ownFlags,
  details: `
The address as images have it before the first slash, \`docker.io\` for Docker Hub. The password, or a token of the
registry, is asked for; where standard input is no terminal it is the first line of it.`,
  examples: ['cli registries create registry.example.org:5000 --username puller < token.txt'],
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<address>', typeof ownFlags>) {
  if (flags.username === undefined) throw wrongUsage('--username <name> is missing')
  const service = await client()
  const password = await openSecrets(io).next('Password')
  const body: NewRegistry = { address: args.address, username: flags.username, password }
  print.reply(await service.post<Registry>('/registries', { body }), ({ address }) =>
    print.line(`the credentials of ${clean(address)} are kept`),
  )
}
