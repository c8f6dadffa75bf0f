import type { Client } from '../../api/client.ts'
import type { DeployBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { acceptedOf, acceptFlag } from '../../flags/accept-references.ts'
import { choiceOf } from '../../flags/choice.ts'
import { deployBodyOf, deployFields, deployFlags } from '../../flags/deploy-flags.ts'
import { verboseFlag } from '../../flags/verbose-flag.ts'
import { shortList } from '../../folder/short-list.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { confirmed } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

const ownFlags = {
  ...deployFlags,
  '--on-drift <what>':
    'What to do with files edited on the host: fail (the default), overwrite or import',
  ...acceptFlag,
  ...verboseFlag,
  '--yes': 'Do not ask',
} as const

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: ownFlags,
  progress: true,
  details: `
Changes only what differs; \`cli stacks plan\` shows a preview. Steps are shown on standard error as they happen. Exits
with 1 if the deployment failed. With services: deploys only those and what they depend on. --host sets the host of a
stack that was never deployed. Without --environment no overlay is applied. If the last deploy applied one, the client
asks on a terminal, and prints a warning elsewhere. It also asks before the first deploy of a stack whose data was not
sent with its files.`,
  examples: [
    'cli stacks deploy shop',
    'cli stacks create && cli stacks deploy',
    'cli stacks deploy shop --environment prod',
    'cli stacks deploy shop --build',
    'cli stacks deploy shop web --no-deps',
    'cli stacks deploy shop --profile debug',
    'cli stacks deploy shop --scale web=3',
    'cli stacks deploy shop --accept-references volume:media_files',
  ],
  fields: deployFields,
  run: deploy,
})

async function deploy({
  args: { name, services },
  flags,
  client,
  print,
  io,
}: Call<'<name> [...services]', typeof ownFlags>) {
  const named = oneHost(flags.host)
  const body: DeployBody = {
    ...deployBodyOf(services, flags),
    on_drift: choiceOf('--on-drift', flags.onDrift, ['fail', 'overwrite', 'import']),
    accept_references: acceptedOf(flags),
  }
  const service = await client()
  if (!flags.yes && io.stdin.isTTY) await askFirst(name, flags, service, io)
  body.host = await hostFor(service, named)
  const options = { path: { name }, body, ...withoutWaiting }
  const started = await service.post('/stacks/{name}/deploy', options)
  const { verbose } = flags
  await showDeployment(started, { client: service, print, io, verbose })
}

/** Asks before a deploy that leaves out the overlay of the last one, or data that was not sent. */
async function askFirst(
  name: string,
  { environment }: { environment: string | undefined },
  service: Client,
  io: Io,
): Promise<void> {
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  if (environment === undefined && stack.environment !== null) {
    const last = clean(stack.environment)
    const question = `The last deploy of ${clean(name)} used --environment ${last}. Deploy without it?`
    await confirmed(io, question, '--yes')
  }
  // Services of earlier versions do not know of it.
  const unsent = stack.unsent_data ?? []
  if (unsent.length === 0 || stack.status !== 'not_deployed' || stack.deployed_at !== null) return
  const place = clean(stack.directory)
  const question = `The data in ${shortList(unsent)} was not sent, and has to be in ${place} on the host. Deploy now?`
  await confirmed(io, question, '--yes')
}
