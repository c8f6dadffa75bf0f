import type { Client } from '../../api/client.ts'
import type { DeployBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { acceptedOf, acceptFlag } from '../../flags/accept-references.ts'
import { choiceOf } from '../../flags/choice.ts'
import { deployBodyOf, deployFields, deployFlags } from '../../flags/deploy-flags.ts'
import { verboseFlag } from '../../flags/verbose-flag.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { confirmed } from '../../session/prompt.ts'

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
asks on a terminal, and prints a warning elsewhere.`,
  examples: [
    'cli stacks deploy shop',
    'cli stacks create && cli stacks deploy',
    'cli stacks deploy shop --environment prod',
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
  const asks = flags.environment === undefined && !flags.yes && io.stdin.isTTY
  if (asks) await confirmWithoutOverlay(name, service, io)
  body.host = await hostFor(service, named)
  const options = { path: { name }, body, ...withoutWaiting }
  const started = await service.post('/stacks/{name}/deploy', options)
  const { verbose } = flags
  await showDeployment(started, { client: service, print, io, verbose })
}

/** Asks before a deploy that leaves out the overlay of the last one. */
async function confirmWithoutOverlay(name: string, service: Client, io: Io): Promise<void> {
  const { value } = await service.get('/stacks/{name}', { path: { name } })
  if (value.environment === null) return
  const last = clean(value.environment)
  const question = `The last deploy of ${clean(name)} used --environment ${last}. Deploy without it?`
  await confirmed(io, question, '--yes')
}
