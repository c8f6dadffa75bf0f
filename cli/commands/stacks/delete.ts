import type { Client } from '../../api/client.ts'
import { type Call, command } from '../../command.ts'
import { ApiFailure } from '../../failure.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { asDeployment, showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { checkHost } from '../../resolve/host.ts'
import { stackDataText } from '../../resolve/volume-sizes.ts'

const ownFlags = {
  '--volumes': 'Also delete its volumes with their data',
  '--force': 'Forget the stack if its host cannot be reached',
  ...detachFlag,
  ...yesFlag,
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details:
    '\nRemoves its containers, networks, files and history. Volumes are kept unless you use --volumes.\n' +
    'Files on the host that the stack does not store stay, such as the data in mounted directories.\n' +
    'With --force a stack whose host cannot be reached is forgotten: all that it left there stays, volumes too.\n' +
    'With --detach the deployment that deletes it can be followed until it has ended. It is deleted with the stack.',
  run: remove,
})

async function remove({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const confirm = confirmation(io, flags)
  const service = await client()
  await checkHost(service, args.name, flags.host)
  const name = clean(args.name)
  const data = flags.volumes && !flags.yes ? await stackDataText(service, args.name) : ''
  const what = flags.volumes ? `${name} and the data in its volumes${data}` : name
  await confirm(`Delete the stack ${what}?`)
  if (flags.detach) {
    const query = { volumes: flags.volumes, force: flags.force, ...withoutWaiting.query }
    const { timeout } = withoutWaiting
    const started = await service.delete('/stacks/{name}', {
      path: { name: args.name },
      query,
      timeout,
    })
    // A stack that is only forgotten has no deployment.
    if (started.answer.status === 204) return print.line(`${name} is deleted`)
    await showDeployment(asDeployment(started), { client: service, print, io, detach: true })
    return
  }
  const leavesFiles = await hasMounts(args.name, service)
  const query = { volumes: flags.volumes, force: flags.force }
  const reply = await service.delete('/stacks/{name}', {
    path: { name: args.name },
    query,
    timeout: 0,
  })
  print.reply(reply, () => {
    print.line(`${name} is deleted`)
    for (const warning of reply.value?.warnings ?? []) print.note(`warning: ${clean(warning)}`)
    if (leavesFiles)
      print.note(
        'files on its host that it did not store stay, such as the data in mounted directories',
      )
  })
}

/** Returns whether services mount something of the host, or may, if the files do not load. */
async function hasMounts(name: string, service: Client): Promise<boolean> {
  const path = { name }
  try {
    const { value: stack } = await service.get('/stacks/{name}', { path })
    const query = { environment: stack.environment ?? undefined }
    const { value: model } = await service.get('/stacks/{name}/config', { path, query })
    const services: { volumes?: { type?: string }[] }[] = Object.values(model.services ?? {})
    return services.some(({ volumes = [] }) => volumes.some(({ type }) => type === 'bind'))
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 404) return true
    throw error
  }
}
