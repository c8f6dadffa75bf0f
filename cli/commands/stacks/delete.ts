import type { Client } from '../../api/client.ts'
import type { StackDetails } from '../../api/types.ts'
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
  progress: true,
  details:
    '\nRemoves its containers, networks, files and history. Volumes are kept unless you use --volumes.\n' +
    'Files on the host that the stack does not store stay, such as the data in mounted directories.\n' +
    'With --force a stack whose host cannot be reached is forgotten: all that it left there stays, volumes too.\n' +
    'With --detach the deployment that deletes it can be followed until it has ended. It is deleted with the stack, so a\n' +
    'script that must know the end waits. Later `cli audit list --action stacks.delete` says what was deleted.',
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
  const { detach } = flags
  const { leavesFiles, mayFollow } = detach ? unread : await readBefore(args.name, service)
  const started = await service.delete('/stacks/{name}', {
    path: { name: args.name },
    query: { volumes: flags.volumes, force: flags.force, wait: !(detach || mayFollow) },
    timeout: withoutWaiting.timeout,
  })
  if (started.answer.status === 202) {
    const following = { client: service, print, io, detach }
    const { warnings } = await showDeployment(asDeployment(started), following)
    if (!detach && warnings.length > 0) print.data({ warnings }, () => {})
  } else {
    // A stack that is only forgotten has no deployment.
    print.reply(started, (removed) => {
      print.line(`${name} is deleted`)
      for (const warning of removed?.warnings ?? []) print.note(`warning: ${clean(warning)}`)
    })
  }
  if (leavesFiles && print.format === 'table')
    print.note(
      'files on its host that it did not store stay, such as the data in mounted directories',
    )
}

/** What is known of a stack before it is deleted. */
interface Before {
  /** Whether services mount something of the host, or may, if the files do not load. */
  leavesFiles: boolean
  /** Whether the caller may read the deployment that deletes it. */
  mayFollow: boolean
}

const unread: Before = { leavesFiles: false, mayFollow: false }

async function readBefore(name: string, service: Client): Promise<Before> {
  try {
    const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
    return { leavesFiles: await hasMounts(stack, service), mayFollow: true }
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 404)
      return { leavesFiles: true, mayFollow: false }
    throw error
  }
}

async function hasMounts(stack: StackDetails, service: Client): Promise<boolean> {
  const path = { name: stack.name }
  try {
    const query = { environment: stack.environment ?? undefined }
    const { value: model } = await service.get('/stacks/{name}/config', { path, query })
    const services: { volumes?: { type?: string }[] }[] = Object.values(model.services ?? {})
    return services.some(({ volumes = [] }) => volumes.some(({ type }) => type === 'bind'))
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 404) return true
    throw error
  }
}
