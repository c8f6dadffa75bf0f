import type { Client } from '../../api/client.ts'
import { command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { findDeployment } from '../../resolve/find-deployment.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> [deployment]',
  nameFromFolder: true,
  details: `
Cancels the deployment that runs, or the one with this id or beginning of an id: a deploy, rollback, stop, restart or
removal. No further step starts about a second later. Pulls, builds and waits are aborted, other steps finish; what they
did stays. The deployment ends as \`interrupted\`.`,
  examples: ['cli stacks cancel shop'],
  fields: { id: '[deployment]' },
  async run({ args: { name, deployment }, flags, client, print }) {
    const service = await client()
    await checkHost(service, name, flags.host)
    const id =
      deployment === undefined
        ? await runningOf(service, name)
        : await findDeployment(service, name, deployment)
    const path = { name, id }
    const reply = await service.post('/stacks/{name}/deployments/{id}/cancel', { path })
    print.reply(reply, ({ kind }) => {
      print.line(`the ${kind} of ${clean(name)} is being cancelled`)
      print.note(`follow it: cli stacks deployments watch ${clean(name)} ${id}`)
    })
  },
})

/** Returns the id of the deployment that runs. Throws a `CliFailure` if none does. */
async function runningOf(service: Client, name: string): Promise<string> {
  const { value } = await service.get('/stacks/{name}/deployments', { path: { name } })
  const found = value.find(({ status }) => status === 'running')
  if (found) return found.id
  throw failed(`no deployment of ${clean(name)} is running`, {
    hint: `run: cli stacks deployments ${clean(name)}`,
  })
}
