import type { Client } from '../../api/client.ts'
import type { DeployBody, StackDetails } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { deployBodyOf, deployFields, deployFlags } from '../../flags/deploy-flags.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { verboseFlag } from '../../flags/verbose-flag.ts'
import { shortList } from '../../folder/short-list.ts'
import { showDeployment } from '../../follow/deploy.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { confirmed } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { startDeploy } from '../../stacks/start-deploy.ts'
import { takeCommit } from '../../stacks/take-commit.ts'

const ownFlags = {
  ...deployFlags,
  ...verboseFlag,
  ...detachFlag,
  '--wait': 'Wait for the end, as without --detach',
  '--commit <id>':
    'Take this commit from the source of the stack before, or fail if that is at another one',
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
asks on a terminal, and prints a warning elsewhere. --revision deploys what the plan showed, or fails if others saved
files since. The client also asks before the first deploy of a stack whose data was not sent with its files.

With --commit, a stack that follows a source takes what that has now, and deploys it if it is this commit: its ID, or at
least its first 7 digits. If the stack follows with deploy, the client shows the deployment that this begins.`,
  examples: [
    'cli stacks deploy shop',
    'cli stacks create && cli stacks deploy',
    'cli stacks deploy shop --environment prod',
    'cli stacks deploy shop --build',
    'cli stacks deploy shop --detach',
    'cli stacks deploy shop web --no-deps',
    'cli stacks deploy shop --profile debug',
    'cli stacks deploy shop --scale web=3',
    'cli stacks deploy shop --accept-references volume:media_files',
    'cli stacks plan shop && cli stacks deploy shop --revision 7',
    'cli stacks deploy shop --commit 1a2b3c4 --wait',
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
  const body: DeployBody = deployBodyOf(services, flags)
  checkUse(flags)
  const service = await client()
  const { verbose, detach } = flags
  const how = { client: service, print, io, verbose, detach }
  if (flags.commit !== undefined) {
    const taken = await takeCommit(service, name, flags.commit)
    if (taken.begun !== undefined) {
      const path = { name, id: taken.begun }
      await showDeployment(await service.get('/stacks/{name}/deployments/{id}', { path }), how)
      return
    }
    body.revision = taken.revision
  }
  const asked = !flags.yes && io.stdin.isTTY
  const shown = asked ? await askFirst(name, flags, service, io) : undefined
  body.host = await hostFor(service, named)
  const started = await startDeploy(service, name, body, shown)
  await showDeployment(started, how)
}

/** Throws wrong usage for flags that exclude each other. */
function checkUse({ commit, revision, wait, detach }: Exclusive): void {
  if (wait && detach) throw wrongUsage('give --wait or --detach, not both')
  if (commit !== undefined && revision !== undefined) {
    throw wrongUsage('give --commit or --revision, not both')
  }
}

interface Exclusive {
  commit: string | undefined
  revision: string | undefined
  wait: boolean
  detach: boolean
}

/**
 * Asks before a deploy that leaves out the overlay of the last one, or data that was not sent.
 * Returns the revision that the answer is about, if there was a question.
 */
async function askFirst(
  name: string,
  { environment }: { environment: string | undefined },
  service: Client,
  io: Io,
): Promise<number | undefined> {
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  const questions = questionsAbout(stack, environment)
  for (const question of questions) await confirmed(io, question, '--yes')
  return questions.length > 0 ? stack.revision : undefined
}

function questionsAbout(stack: StackDetails, environment: string | undefined): string[] {
  const questions: string[] = []
  if (environment === undefined && stack.environment !== null) {
    const last = clean(stack.environment)
    questions.push(
      `The last deploy of ${clean(stack.name)} used --environment ${last}. Deploy without it?`,
    )
  }
  // Services of earlier versions do not know of it.
  const unsent = stack.unsent_data ?? []
  if (unsent.length > 0 && stack.status === 'not_deployed' && stack.deployed_at === null) {
    const place = clean(stack.directory)
    questions.push(
      `The data in ${shortList(unsent)} was not sent, and has to be in ${place} on the host. Deploy now?`,
    )
  }
  return questions
}
