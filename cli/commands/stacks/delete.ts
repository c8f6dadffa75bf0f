import { type Call, command } from '../../command.ts'
import { path } from '../../http.ts'
import { confirmed } from '../../prompt.ts'
import { checkPlace } from '../../stack-place.ts'
import { clean } from '../../text.ts'

const ownFlags = {
  '--volumes': 'Also delete its volumes with their data',
  '--yes': 'Do not ask',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details:
    '\nRemoves its containers, networks, files and history. Volumes are kept unless you use --volumes.',
  run: remove,
})

async function remove({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const service = await client()
  await checkPlace(service, args.name, flags.host)
  const name = clean(args.name)
  const what = flags.volumes ? `${name} and the data in its volumes` : name
  if (!flags.yes) await confirmed(io, `Delete ${what}?`, '--yes')
  const query = { volumes: flags.volumes ? 'true' : undefined }
  const reply = await service.delete(path`/stacks/${args.name}`, { query, patience: 0 })
  print.reply(reply, () => print.line(`${name} is deleted`))
}
