import type { Client } from '../../../api/client.ts'
import { command } from '../../../command.ts'
import { failed } from '../../../failure.ts'
import { verboseFlag } from '../../../flags/verbose-flag.ts'
import { showDeployment } from '../../../follow/deploy.ts'
import { clean } from '../../../output/text.ts'
import { findDeployment } from '../../../resolve/find-deployment.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name> [deployment]',
  nameFromFolder: true,
  flags: verboseFlag,
  progress: true,
  details: `
Shows the steps of the newest deployment, or of the one with this id or beginning of an id, until it ends. Exits as
\`cli stacks deploy\` does. An interrupt offers to cancel it. For a stack that is called watch, use
\`cli stacks deployments -- watch\` to list its deployments.`,
  examples: ['cli stacks deployments watch shop'],
  fields: { id: '[deployment]' },
  async run({ args: { name, deployment }, flags, client, print, io }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const id =
      deployment === undefined
        ? await newestOf(service, name)
        : await findDeployment(service, name, deployment)
    const now = await service.get('/stacks/{name}/deployments/{id}', { path: { name, id } })
    const { verbose } = flags
    await showDeployment(now, { client: service, print, io, verbose })
  },
})

/** Returns the id of the newest deployment. Throws a `CliFailure` if there is none. */
async function newestOf(service: Client, name: string): Promise<string> {
  const { value } = await service.get('/stacks/{name}/deployments', { path: { name } })
  const [newest] = value
  if (newest) return newest.id
  throw failed(`${clean(name)} has no deployments`, {
    hint: `run: cli stacks deploy ${clean(name)}`,
  })
}
