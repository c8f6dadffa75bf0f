import type { Client } from '../../api/client.ts'
import type { RollbackBody } from '../../api/types.ts'
import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { acceptedOf, acceptFlag } from '../../flags/accept-references.ts'
import { choiceOf } from '../../flags/choice.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { verboseFlag } from '../../flags/verbose-flag.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { findDeployment, findDeploymentOf } from '../../resolve/find-deployment.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> [deployment]',
  flags: {
    '--commit <id>': 'The newest deployment of this commit of the source, instead of [deployment]',
    '--on-drift <what>':
      'What to do with files edited on the host: fail (the default) or overwrite',
    ...acceptFlag,
    ...verboseFlag,
    ...detachFlag,
  },
  progress: true,
  details: `
Deploys an earlier deployment again: its files, environment and image digests, even if a tag has moved since. Its files
become the newest revision of the stack; services added later are removed. The deployment is given by its id or the
beginning of its id, as \`cli stacks deployments <name>\` shows it, or as \`previous\`: the last successful one before
what runs now, with other files, environment or images. Used twice, it goes two back. With --commit, it is the newest
successful one that a sync or a hook began for this commit of the source: its ID, or at least its first 7 digits. A
stack that follows a source stays there until the source has something else. Exits with 1 if the deployment failed.`,
  examples: [
    'cli stacks rollback shop previous',
    'cli stacks rollback shop 019a0000-0000-7000-8000-000000000000',
    'cli stacks rollback shop --commit 1a2b3c4',
  ],
  fields: { deployment_id: '[deployment]' },
  async run({ args: { name, deployment }, flags, client, print, io }) {
    const on_drift = choiceOf('--on-drift', flags.onDrift, ['fail', 'overwrite'])
    const service = await client()
    await checkHost(service, name, flags.host)
    const deployment_id = await targetOf(service, name, { deployment, commit: flags.commit })
    const [{ value: before }, { value: target }] = await Promise.all([
      service.get('/stacks/{name}', { path: { name } }),
      service.get('/stacks/{name}/deployments/{id}', { path: { name, id: deployment_id } }),
    ])
    const accept_references = acceptedOf(flags)
    const body: RollbackBody = { deployment_id, on_drift, accept_references }
    const options = { path: { name }, body, ...withoutWaiting }
    const started = await service.post('/stacks/{name}/rollback', options)
    const where = ` to the deployment of ${moment(target.started_at)} (files of revision ${target.revision})`
    const { verbose, detach } = flags
    const how = { verbose, detach, where }
    const ended = await showDeployment(started, { client: service, print, io, ...how })
    if (ended.revision !== before.revision) noteFolders(clean(name), ended.revision, print)
  },
})

/** Returns the id of the deployment that is deployed again. */
async function targetOf(
  service: Client,
  name: string,
  { deployment, commit }: { deployment: string | undefined; commit: string | undefined },
): Promise<string> {
  if (deployment !== undefined && commit !== undefined) {
    throw wrongUsage('a deployment and --commit: use only one')
  }
  if (commit !== undefined) return findDeploymentOf(service, name, commit)
  if (deployment !== undefined) return findDeployment(service, name, deployment)
  throw wrongUsage('name a deployment: its id, `previous`, or --commit')
}

/** Says what a rollback means to directories that have the files from before it. */
function noteFolders(name: string, revision: number, print: Printer): void {
  const update = '`cli stacks update`'
  print.note(`the files of that deployment are revision ${revision} of the stack now`)
  print.note(
    `  in a directory with later files, ${update} asks first, or is refused without a terminal`,
  )
  print.note(`  to go on with them in a directory: cli stacks download ${name} .`)
}
