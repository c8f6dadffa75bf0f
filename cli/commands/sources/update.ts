import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { everyOf, sourceFields, sourceFlags, trustOf } from '../../flags/source-flags.ts'
import { userOf } from '../../flags/user-flags.ts'
import { showSource } from '../../output/source.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--ref <ref>': 'A tag or a digest; of git a branch, a tag or a commit ID',
  ...sourceFlags,
  '--ca <file>': 'Certificates in PEM to trust, or `none`: those of the system; git over https',
  '--password': 'Set a new password or token; you are asked for it',
  '--new-key': 'Have the service make a new key; git over ssh',
  '--new-age-identity': 'Have the service make a new identity of age; encrypt the files for it',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Changes a source. Fields without a flag stay as they are, and the source acts as you from then on. Another --user needs
--password, and so does another --ca of a source with a user. If standard input is not a terminal, its first line is the
password. Needs registries:manage on every host.`,
  examples: [
    'cli sources update shop --ref 1.1',
    'cli sources update shop --every off',
    'cli sources update estate --host-key SHA256:OvfAL/VfFGhv86ms68SYRXGGbGL9+9stg+U1Rx8OdzQ',
  ],
  fields: { ...sourceFields, name: '<name>', ref: '--ref', password: '--password' },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const username = userOf(flags)
  const every = everyOf(flags)
  const { ref, newKey, newAgeIdentity } = flags
  if (newKey && flags.privateKey !== undefined)
    throw wrongUsage('give --new-key or --private-key, not both')
  if (newAgeIdentity && flags.ageIdentity !== undefined)
    throw wrongUsage('give --new-age-identity or --age-identity, not both')
  const isWithoutOwn = flags.ca === 'none'
  const trust = {
    ...(await trustOf({ ...flags, ca: isWithoutOwn ? undefined : flags.ca }, io)),
    ...(isWithoutOwn && { certificate_authority: null }),
    ...(newKey && { private_key: null }),
    ...(newAgeIdentity && { age_identity: null }),
  }
  const isSame = [username, every, ref].every((one) => one === undefined)
  if (isSame && !flags.password && Object.keys(trust).length === 0)
    throw wrongUsage(
      'nothing to change: give --ref, --every, --user, --password, --ca, --host-key, --private-key, --new-key, --age-identity or --new-age-identity',
    )
  const service = await client()
  const password = flags.password ? await openSecrets(io).next('Password') : undefined
  const body = { ref, look_every_seconds: every, username, password, ...trust }
  const reply = await service.put('/sources/{name}', { path: { name: args.name }, body })
  print.reply(reply, (source) => showSource(source, print))
}
