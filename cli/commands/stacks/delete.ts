import { type Call, command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'
import { confirmation, yesFlag } from '../../session/prompt.ts'

const ownFlags = {
  '--volumes': 'Also delete its volumes with their data',
  '--force': 'Forget the stack if its host cannot be reached',
  ...yesFlag,
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details:
    '\nRemoves its containers, networks, files and history. Volumes are kept unless you use --volumes.\n' +
    'Files on the host that the stack does not store stay, such as the data in mounted directories.\n' +
    'With --force a stack whose host cannot be reached is forgotten: all that it left there stays, volumes too.',
  run: remove,
})

async function remove({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const confirm = confirmation(io, flags)
  const service = await client()
  await checkHost(service, args.name, flags.host)
  const name = clean(args.name)
  const what = flags.volumes ? `${name} and the data in its volumes` : name
  await confirm(`Delete the stack ${what}?`)
  const query = { volumes: flags.volumes, force: flags.force }
  const reply = await service.delete('/stacks/{name}', {
    path: { name: args.name },
    query,
    timeout: 0,
  })
  print.reply(reply, () => {
    print.line(`${name} is deleted`)
    print.note(
      'files on its host that it did not store stay, such as the data in mounted directories',
    )
  })
}
