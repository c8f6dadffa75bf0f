import { type Call, command } from '../../command.ts'
import { everyOf, sourceFields, sourceFlags } from '../../flags/source-flags.ts'
import { userOf } from '../../flags/user-flags.ts'
import { showSource } from '../../output/source.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = { '--ref <ref>': 'A tag or a digest; the default is latest', ...sourceFlags }

export default command({
  args: '<name> <url>',
  flags: ownFlags,
  details: `
Makes a source: a project in a registry, as \`cli stacks publish\` and \`docker compose publish\` make it. The service asks
now and then what the reference names, and acts as you. With --user the client asks for a password or token; if standard
input is not a terminal, its first line is used. Needs registries:manage on every host.`,
  examples: ['cli sources create shop oci://registry.example.org/team/shop --ref 1.0'],
  fields: { ...sourceFields, name: '<name>', url: '<url>', ref: '--ref' },
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name> <url>', typeof ownFlags>) {
  const username = userOf(flags)
  const every = everyOf(flags)
  const service = await client()
  const password = username === undefined ? undefined : await openSecrets(io).next('Password')
  const { name, url } = args
  const body = {
    name,
    kind: 'oci' as const,
    url,
    ref: flags.ref ?? 'latest',
    ...(every !== undefined && { look_every_seconds: every }),
    username,
    password,
  }
  const reply = await service.post('/sources', { body })
  print.reply(reply, (source) => showSource(source, print))
}
