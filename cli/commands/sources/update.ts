import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { everyOf, sourceFields, sourceFlags } from '../../flags/source-flags.ts'
import { userOf } from '../../flags/user-flags.ts'
import { showSource } from '../../output/source.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--ref <ref>': 'A tag or a digest',
  ...sourceFlags,
  '--password': 'Set a new password or token; you are asked for it',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Changes a source. What has no flag is kept, and it acts as you from then on. Another --user needs --password. If
standard input is not a terminal, its first line is the password. Needs registries:manage on every host.`,
  examples: ['cli sources update shop --ref 1.1', 'cli sources update shop --every off'],
  fields: { ...sourceFields, name: '<name>', ref: '--ref', password: '--password' },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const username = userOf(flags)
  const every = everyOf(flags)
  const { ref } = flags
  if ([username, every, ref].every((one) => one === undefined) && !flags.password)
    throw wrongUsage('nothing to change: give --ref, --every, --user or --password')
  const service = await client()
  const password = flags.password ? await openSecrets(io).next('Password') : undefined
  const body = { ref, look_every_seconds: every, username, password }
  const reply = await service.put('/sources/{name}', { path: { name: args.name }, body })
  print.reply(reply, (source) => showSource(source, print))
}
