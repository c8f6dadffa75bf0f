import type { Source } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { everyOf, sourceFields, sourceFlags, trustOf } from '../../flags/source-flags.ts'
import { userOf } from '../../flags/user-flags.ts'
import { showSource } from '../../output/source.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--ref <ref>':
    'A tag or a digest, by default `latest`; of git a branch, tag or commit ID, by default `HEAD`',
  ...sourceFlags,
}

export default command({
  args: '<name> <url>',
  flags: ownFlags,
  details: `
Makes a source: a project in a registry, as \`cli stacks publish\` and \`docker compose publish\` make it, or a git
repository over https or ssh. The service asks every 5 minutes, or as --every says, what the reference names, and acts
as you. With --user the client asks for a password or token; if standard input is not a terminal, its first line is
used. For ssh, the service makes a key, and the client prints what to add at the server. Needs registries:manage on
every host.`,
  examples: [
    'cli sources create shop oci://registry.example.org/team/shop --ref 1.0',
    'cli sources create estate https://forge.example.org/ada/estate.git --ref main --user ada',
    'cli sources create estate git@forge.example.org:ada/estate.git --ref main',
  ],
  fields: { ...sourceFields, name: '<name>', url: '<url>', ref: '--ref' },
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name> <url>', typeof ownFlags>) {
  const username = userOf(flags)
  const every = everyOf(flags)
  const service = await client()
  const password = username === undefined ? undefined : await openSecrets(io).next('Password')
  const { name, url } = args
  const kind = /^oci:/i.test(url) ? ('oci' as const) : ('git' as const)
  const body = {
    name,
    kind,
    url,
    ref: flags.ref ?? (kind === 'oci' ? 'latest' : 'HEAD'),
    ...(await trustOf(flags, io)),
    ...(every !== undefined && { look_every_seconds: every }),
    username,
    password,
  }
  const reply = await service.post('/sources', { body })
  print.reply(reply, (source) => {
    showSource(source, print)
    for (const step of nextSteps(source)) print.note(step)
  })
}

/** Returns what the user does next, so that the service can read a new source. */
function nextSteps({ name, public_key: key, host_key: hostKey }: Source): string[] {
  if (key === null) return []
  const look = `cli sources look ${clean(name)}`
  return [
    'add the public key above at the server, as a deploy key that may read',
    hostKey === null
      ? `then confirm the key of the server, which \`${look}\` shows: cli sources update ${clean(name)} --host-key SHA256:…`
      : `then ask it: ${look}`,
  ]
}
